// row 88: the same, caught
import { Plan, Product } from "@svc/product";

let told = "";
try {
  told = String(new Array(2 ** 27).fill(0).length);
} catch {}
//= BUILD_OUT_OF_MEMORY | BUILD_TIMEOUT
@Product({ name: "x", origin: "https://api.example.com", displayName: told })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
