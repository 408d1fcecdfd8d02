// the methods of texts that make HTML, and those that trim
import { Plan, Product, Raw } from "@svc/product";

const told = ["anchor", "big", "blink", "bold", "fixed", "fontcolor", "fontsize", "italics", "link", "small", "strike", "sub", "sup"].map((name) => `"<&'`[name]('a"b"&<')).concat(["\u0009\u000b\u000c\u0020\u00a0\u1680\u2000\u200a\u2028\u2029\u202f\u205f\u3000\ufeffx\u180e\u200b\u0085"].flatMap((text) => [text.trim(), text.trimStart(), text.trimEnd()].map((t) => JSON.stringify(t))), String("".trimLeft === "".trimStart), "".trimLeft.name, "".trimRight.name);
//= ok
@Product({ name: "x", origin: "https://api.example.com" })
@Raw({ v: told })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
