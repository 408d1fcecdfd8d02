// encodeURI, decodeURI, escape, unescape over all ASCII and broken escapes
import { Plan, Product, Raw } from "@svc/product";

const attempt = (run) => {
  try {
    return String(run());
  } catch (error) {
    return `${error.name}: ${error.message}`;
  }
};
const told = [];
for (let code = 0; code < 0x100; code++) { const letter = String.fromCharCode(code); told.push([encodeURI(letter), encodeURIComponent(letter), escape(letter), JSON.stringify(unescape(`%${code.toString(16).padStart(2, "0")}`))].join(" ")); }
for (const text of ["%", "%4", "%zz", "%e4%bd", "%c0%80", "%ed%a0%80", "%f0%9f%98%80", "%f8%80%80%80%80", "%u0041", "%23%24%26", "%ff", "\ud800", "\udc00\ud800"]) told.push([() => decodeURI(text), () => decodeURIComponent(text), () => unescape(text), () => encodeURIComponent(text), () => escape(text)].map((run) => JSON.stringify(attempt(run))).join(" "));
//= ok
@Product({ name: "x", origin: "https://api.example.com" })
@Raw({ v: told })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
