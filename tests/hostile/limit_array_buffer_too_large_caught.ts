// row 32: the RangeError caught and branched on
import { Plan, Product } from "@svc/product";

let told = "much memory";
try {
  new ArrayBuffer(1 << 30);
} catch {
  told = "little memory";
}
//= BUILD_OUT_OF_MEMORY
@Product({ name: "x", origin: "https://api.example.com", displayName: told })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
