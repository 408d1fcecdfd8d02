// row 77: caught
import { Plan, Product } from "@svc/product";

let told = typeof WebAssembly;
try {
  WebAssembly.validate(new Uint8Array(8));
} catch (error) {
  told += error.constructor.name;
}
//= ok product.displayName "undefinedReferenceError"
@Product({ name: "x", origin: "https://api.example.com", displayName: told })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
