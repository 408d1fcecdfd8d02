// row 88: an array of a length alone
import { Plan, Product } from "@svc/product";

const all = Array.from({ length: 2 ** 32 - 1 }, () => ({}));
//= BUILD_OUT_OF_MEMORY | BUILD_TIMEOUT
@Product({ name: "x", origin: "https://api.example.com", displayName: String(all.length) })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
