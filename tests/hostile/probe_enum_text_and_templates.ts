// enums of texts made of other members
import { Plan, Product, Raw } from "@svc/product";

enum Text { a = "x", b = `${a}y`, c = a + b, d = `${a}${b}${c}`, e = "caf\u00e9", f = "\u{1f600}", g = "line\nfeed", h = `tick\`` }
enum Digits { one = "1", two = "2" }
const told = [...Object.entries(Text).map(([key, value]) => `${key}=${JSON.stringify(value)}`), JSON.stringify(Digits), String(Digits["1"])];
//= ok
@Product({ name: "x", origin: "https://api.example.com" })
@Raw({ v: told })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
