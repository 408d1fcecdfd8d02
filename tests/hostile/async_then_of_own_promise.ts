// row 65: an own `then` on the promise that the module awaits
import { Plan, Product } from "@svc/product";

const promise = Promise.resolve("real");
Object.defineProperty(promise, "then", { value: (resolve) => resolve("own") });
//= ok product.displayName "real"
@Product({ name: "x", origin: "https://api.example.com", displayName: await promise })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
