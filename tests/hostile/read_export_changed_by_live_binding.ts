// row 56: the export is another thing when the module has ended
import { Plan, Product } from "@svc/product";

@Product({ name: "x", origin: "https://api.example.com" })
class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
let shown = X;
export { shown as default };
shown = class Other {};
//? DEFAULT_EXPORT_NOT_PRODUCT
