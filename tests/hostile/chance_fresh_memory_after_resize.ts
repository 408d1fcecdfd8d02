// row 17: nor does a buffer that grew, moved or was sliced
import { Plan, Product } from "@svc/product";

const sumOf = (buffer) => new Uint8Array(buffer).reduce((sum, byte) => sum + byte, 0);
const grown = new ArrayBuffer(8, { maxByteLength: 100_000 });
new Uint8Array(grown).fill(255);
grown.resize(0);
grown.resize(100_000);
const moved = new ArrayBuffer(0).transfer(100_000);
//= ok product.displayName "0,0,0"
@Product({
  name: "x",
  origin: "https://api.example.com",
  displayName: [sumOf(grown), sumOf(moved), sumOf(new ArrayBuffer(64).slice(8, 32))].join(),
})
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
