// row 46: the error swallowed, the default stays what it was
import { Plan, Product } from "@svc/product";

try {
  Object.prototype.legacy = true;
  Object.prototype.description = "stolen";
} catch {}
//= ok plans[0].legacy false
@Product({ name: "x", origin: "https://api.example.com" })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
