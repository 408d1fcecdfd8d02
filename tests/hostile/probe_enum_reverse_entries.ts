// the own keys of enums, their reverse entries and what they overwrite
import { Plan, Product, Raw } from "@svc/product";

enum Plain { a, b, c = 10, d }
enum Odd { x = -1, y, half = 0.5, big = 1e21, inf = 1 / 0, nan = 0 / 0, zero = -0, text = "t", more = 5 }
enum Clash { a = 1, b = 1, c = 2 }
enum Computed { a = "xyz".length, b = Math.floor(2.7), c = a + b, d = Plain.d * 2 }
enum Quoted { "a b" = 1, "1a" = 2, "__proto__" = 3, "constructor" = 4 }
const told = [Plain, Odd, Clash, Computed, Quoted].map((e) => JSON.stringify(Reflect.ownKeys(e).map((key) => [key, String(e[key])])));
//= ok
@Product({ name: "x", origin: "https://api.example.com" })
@Raw({ v: told })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
