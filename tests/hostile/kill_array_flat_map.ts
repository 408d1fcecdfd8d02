// row 88: each element becomes a thousand
import { Plan, Product } from "@svc/product";

const thousand = new Array(1000).fill(1);
const all = thousand.flatMap(() => thousand).flatMap(() => thousand);
//= BUILD_OUT_OF_MEMORY | BUILD_TIMEOUT
@Product({ name: "x", origin: "https://api.example.com", displayName: String(all.length) })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
