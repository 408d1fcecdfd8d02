// row 56: a @Product of one's own
import { Plan, Product } from "@svc/product";

const Mine = (options) => (target) => Object.assign(target, { options });
@Mine({ name: "x", origin: "https://api.example.com" })
//? DEFAULT_EXPORT_NOT_PRODUCT
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
