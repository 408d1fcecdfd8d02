// row 91: a buffer that grows by moving
import { Plan, Product } from "@svc/product";

let buffer = new ArrayBuffer(1 << 20);
for (let i = 0; i < 10; i++) buffer = buffer.transfer(buffer.byteLength * 2);
//= BUILD_OUT_OF_MEMORY
@Product({ name: "x", origin: "https://api.example.com", displayName: String(buffer.byteLength) })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
