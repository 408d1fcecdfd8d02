// row 38: what is not enumerable is not there
import { Plan, Product } from "@svc/product";

const options = { name: "x", origin: "https://api.example.com", displayName: "shown" };
Object.defineProperty(options, "description", { value: "hidden", enumerable: false });
Object.defineProperty(options, Symbol("secret"), { value: 1, enumerable: false });
@Product(options)
//= ok product.displayName "shown"
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
