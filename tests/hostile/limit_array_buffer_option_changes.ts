// row 91: an option that says nothing when it is checked and much when it is used
import { Plan, Product } from "@svc/product";

let reads = 0;
const options = { get maxByteLength() { return reads++ === 0 ? undefined : 1 << 28; } };
const buffer = new ArrayBuffer(8, options);
//= ok product.displayName "8,false"
@Product({ name: "x", origin: "https://api.example.com", displayName: [buffer.byteLength, buffer.resizable].join() })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
