// row 88: arrays that double
import { Plan, Product } from "@svc/product";

let array = [1, 2, 3, 4];
for (;;) array = array.concat(array);
//= BUILD_OUT_OF_MEMORY | BUILD_TIMEOUT
@Product({ name: "x", origin: "https://api.example.com", displayName: String(array.length) })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
