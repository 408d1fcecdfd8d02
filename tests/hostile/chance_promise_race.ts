// row 16: which of many promises wins is decided by their order
import { Plan, Product } from "@svc/product";

const slow = async (steps, name) => {
  for (let i = 0; i < steps; i++) await null;
  return name;
};
const winners = [await Promise.race([slow(3, "c"), slow(1, "a"), slow(2, "b")]), await Promise.any([slow(2, "d"), slow(2, "e")])];
//= ok product.displayName "a,d"
@Product({ name: "x", origin: "https://api.example.com", displayName: winners.join() })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
