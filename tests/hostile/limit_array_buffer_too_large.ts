// row 32: one buffer over the cap
import { Plan, Product } from "@svc/product";

const buffer = new ArrayBuffer(1 << 30);
//= BUILD_OUT_OF_MEMORY
@Product({ name: "x", origin: "https://api.example.com", displayName: String(buffer.byteLength) })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
