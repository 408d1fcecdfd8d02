// row 65: a module that is thenable would hijack whoever awaits it
import { Plan, Product } from "@svc/product";

export function then(resolve) {
  resolve({ default: class Forged {} });
}
//= ok product.displayName "real"
@Product({ name: "x", origin: "https://api.example.com", displayName: "real" })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
