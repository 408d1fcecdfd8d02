// row 59: caught; nothing was evaluated
import { Plan, Product } from "@svc/product";

let told = "nothing";
try {
  (0, eval)("globalThis.told = 1");
} catch {
  told = typeof globalThis.told;
}
//= ok product.displayName "undefined"
@Product({ name: "x", origin: "https://api.example.com", displayName: told })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
