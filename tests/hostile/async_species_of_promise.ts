// row 65: a promise whose species is a trap
import { Plan, Product } from "@svc/product";

let told = "untouched";
const promise = Promise.resolve("value");
class Trap {
  constructor(executor) {
    told = "species used";
    executor(() => {}, () => {});
  }
}
Object.defineProperty(promise, "constructor", { value: { [Symbol.species]: Trap } });
const value = await promise;
//= ok product.displayName "value"
@Product({ name: "x", origin: "https://api.example.com", displayName: value, description: told })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
