// row 87: well-known names on one's own options are never asked for
import { Plan, Product, Raw } from "@svc/product";

const told = [];
const meddled = { name: "x", origin: "https://api.example.com" };
for (const key of [Symbol.toPrimitive, Symbol.iterator, Symbol.toStringTag, Symbol.unscopables, Symbol.hasInstance, "toJSON", "then", "valueOf", "length"]) {
  Object.defineProperty(meddled, key, { get: () => told.push(String(key)), enumerable: false });
}
@Product(meddled)
@Raw({ told })
//= ok raw {"told":[]}
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
