// row 56: a job takes the export away
import { Plan, Product } from "@svc/product";

@Product({ name: "x", origin: "https://api.example.com" })
class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
let shown = X;
export { shown as default };
Promise.resolve().then(() => (shown = undefined));
//? DEFAULT_EXPORT_MISSING
