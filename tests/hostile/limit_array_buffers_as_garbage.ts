// row 91: many small buffers, of which one lives at a time
import { Plan, Product } from "@svc/product";

let sum = 0;
for (let i = 0; i < 64; i++) sum += new Uint8Array(1 << 20).fill(1)[i];
//= ok product.displayName "64"
@Product({ name: "x", origin: "https://api.example.com", displayName: String(sum) })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
