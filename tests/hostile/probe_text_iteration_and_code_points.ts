// iterating, raising and lowering code points, and their mistakes
import { Plan, Product, Raw } from "@svc/product";

const attempt = (run) => {
  try {
    return String(run());
  } catch (error) {
    return `${error.name}: ${error.message}`;
  }
};
const told = [];
for (const text of ["\u{10ffff}", "\ud83d", "\ude00\ud83d", "a\ud83d\ude00\ud83d"]) told.push(JSON.stringify([...text]), JSON.stringify([...text].map((letter) => letter.codePointAt(0))), JSON.stringify(Array.from({ length: text.length + 1 }, (_, i) => [text.codePointAt(i), text.charAt(i), text[i], text.at(-i)])));
for (const code of [0, 0x10ffff, 0x110000, -1, 1.5, NaN, "65", null, undefined, 2 ** 32]) told.push(attempt(() => JSON.stringify(String.fromCodePoint(code))), attempt(() => JSON.stringify(String.fromCharCode(code, 66))));
const iterator = "ab"[Symbol.iterator]();
told.push(JSON.stringify([iterator.next(), iterator.next(), iterator.next(), iterator.next()]), Object.prototype.toString.call(iterator), Object.prototype.toString.call("".matchAll(/x/g)));
//= ok
@Product({ name: "x", origin: "https://api.example.com" })
@Raw({ v: told })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
