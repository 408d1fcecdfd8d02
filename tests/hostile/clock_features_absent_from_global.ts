// row 9: nor as a property, own or inherited, of the global
import { Plan, Product } from "@svc/product";

const told = ["Intl", "Temporal", "performance", "console", "setTimeout", "setInterval", "queueMicrotask"].filter((name) => name in globalThis);
//= ok product.displayName "none"
@Product({ name: "x", origin: "https://api.example.com", displayName: told.join() || "none" })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
