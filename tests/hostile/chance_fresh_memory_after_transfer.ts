// row 17: nor does a buffer that was moved or sliced
import { Plan, Product } from "@svc/product";

const sumOf = (buffer) => new Uint8Array(buffer).reduce((sum, byte) => sum + byte, 0);
const dirty = new Uint8Array(100_000).fill(255).buffer.transfer(0);
const moved = new ArrayBuffer(8).transfer(100_000);
//= ok product.displayName "0,0,0"
@Product({
  name: "x",
  origin: "https://api.example.com",
  displayName: [sumOf(dirty), sumOf(moved), sumOf(new ArrayBuffer(64).slice(8, 32))].join(),
})
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
