// row 88: a spread of an endless generator
import { Plan, Product } from "@svc/product";

function* endless() {
  for (;;) yield "x";
}
const all = [...endless()];
//= BUILD_OUT_OF_MEMORY | BUILD_TIMEOUT
@Product({ name: "x", origin: "https://api.example.com", displayName: String(all.length) })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
