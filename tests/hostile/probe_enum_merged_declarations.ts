// one enum declared three times, with members of the earlier parts
import { Plan, Product, Raw } from "@svc/product";

enum Part { a = 1, b = a << 4 }
enum Part { c = 7, d = c ** 2 }
enum Part { e = Part.d + Part.b, f = "f" }
const enum Inline { one = 1, two = one * 2, shifted = two << 10 }
const told = [JSON.stringify(Part), Object.keys(Part).join(), String(Inline.shifted), String(Part[16]), typeof Part];
//= ok
@Product({ name: "x", origin: "https://api.example.com" })
@Raw({ v: told })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
