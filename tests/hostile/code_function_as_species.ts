// row 34: a list's species is `Function`, which is handed a length
import { Plan, Product } from "@svc/product";

class Codes extends Array { static get [Symbol.species]() { return Function as any; } }
const made = Codes.of(1).map((x) => x);
//@ BANNED_API
@Product({ name: "x", origin: "https://api.example.com" })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
