// every method of texts over astral, combining and lone characters
import { Plan, Product, Raw } from "@svc/product";

const attempt = (run) => {
  try {
    return String(run());
  } catch (error) {
    return `${error.name}: ${error.message}`;
  }
};
const texts = ["\u{1f600}a", "e\u0301\u0323", "\ud800x", "x\udc00", "\u{1f468}\u200d\u{1f469}\u200d\u{1f467}", "\u202eabc", "\u0000\u0001", "", "  \u3000\ufeff ", "\u0130I\u0131i", "ﬃ"];
const methods = [(t) => t.length, (t) => [...t].length, (t) => t.at(-1), (t) => t.charCodeAt(1), (t) => t.codePointAt(1), (t) => t.toUpperCase(), (t) => t.toLowerCase(), (t) => t.trim().length, (t) => t.split(""), (t) => t.slice(1, -1), (t) => t.substring(2, 0), (t) => t.substr(-2, 1), (t) => t.padEnd(7, "\u{1f600}"), (t) => t.padStart(5, "ab"), (t) => t.isWellFormed(), (t) => t.toWellFormed(), (t) => t.repeat(2), (t) => t.indexOf("\udc00"), (t) => t.lastIndexOf(""), (t) => t.replaceAll("", "-"), (t) => escape(t), (t) => encodeURIComponent(t), (t) => t.anchor('"'), (t) => t.search(/./u), (t) => t.localeCompare];
const told = texts.map((text) => methods.map((method) => JSON.stringify(attempt(() => method(text)))).join(" "));
//= ok
@Product({ name: "x", origin: "https://api.example.com" })
@Raw({ v: told })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
