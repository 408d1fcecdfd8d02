// row 59: `instanceof Function` is no use of it that harms
import { Plan, Product } from "@svc/product";

const told = [(() => {}) instanceof Function, typeof Function, Function.prototype() === undefined, class {} instanceof Function];
//= ok product.displayName "true,function,true,true"
@Product({ name: "x", origin: "https://api.example.com", displayName: told.join() })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
