// row 56: a decorator above @Product puts another class in its place
import { Plan, Product } from "@svc/product";

const replaced = () => class Other {};
@replaced
@Product({ name: "x", origin: "https://api.example.com" })
//? DEFAULT_EXPORT_NOT_PRODUCT
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
