// row 23: the error of a missing name tells nothing
import { Plan, Product } from "@svc/product";

let told = "";
try {
  told = process.env.HOME;
} catch (error) {
  told = error.constructor.name;
}
//= ok product.displayName "ReferenceError"
@Product({ name: "x", origin: "https://api.example.com", displayName: told })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
