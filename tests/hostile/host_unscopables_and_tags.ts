// row 87: well-known symbols on one's own objects change nothing for the package
import { Plan, Product } from "@svc/product";

const told = [];
const meddled = {
  name: "x",
  origin: "https://api.example.com",
  toJSON: undefined,
};
Object.defineProperty(meddled, Symbol.toPrimitive, { value: () => told.push("toPrimitive") });
Object.defineProperty(meddled, Symbol.iterator, { value: () => told.push("iterator") });
Object.defineProperty(meddled, Symbol.toStringTag, { get: () => told.push("toStringTag") });
Object.defineProperty(meddled, "toJSON", { value: () => told.push("toJSON"), enumerable: false });
Object.defineProperty(meddled, "then", { value: () => told.push("then") });
@Product(meddled)
//= ok product.name "x"
@Raw({ told })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
import { Raw } from "@svc/product";
