// special casing: final sigma in contexts, ligatures, dotted letters, titlecase, Deseret
import { Plan, Product, Raw } from "@svc/product";

const texts = ["\u03a3", "a\u03a3", "a\u03a3b", "a\u03a3\u0301", "a\u0301\u03a3 ", "\u03a3\u03a3", "a.\u03a3", "a\u00ad\u03a3\u00ad", "\ufb13\ufb17", "\u0149", "\u01f0", "\u1e96", "\u1f80\u1f88", "\u1fb3\u1fbc", "\u01c5\u01c8", "\u{10400}\u{10428}", "\u{1e900}", "\u10d0\u1c90", "\u13a0\uab70", "\u0345a", "i\u0307\u0323", "\u00df\u1e9e", "\u2126\u212a\u212b"];
const hex = (text) => [...text].map((letter) => letter.codePointAt(0).toString(16)).join("-");
const told = texts.map((text) => `${hex(text)} ${hex(text.toUpperCase())} ${hex(text.toLowerCase())} ${hex(text.toUpperCase().toLowerCase())}`);
//= ok
@Product({ name: "x", origin: "https://api.example.com" })
@Raw({ v: told })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
