// row 86: caught
import { Plan, Product } from "@svc/product";

let told = typeof console;
try {
  console.log("x");
} catch (error) {
  told += ` ${error.constructor.name}`;
}
//= ok product.displayName "undefined ReferenceError"
@Product({ name: "x", origin: "https://api.example.com", displayName: told })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
