// row 88: one array of a gigabyte
import { Plan, Product } from "@svc/product";

const filled = new Array(2 ** 27).fill(0);
//= BUILD_OUT_OF_MEMORY | BUILD_TIMEOUT
@Product({ name: "x", origin: "https://api.example.com", displayName: String(filled.length) })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
