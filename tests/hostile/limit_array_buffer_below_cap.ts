// row 88: a buffer below the cap, filled
import { Plan, Product } from "@svc/product";

const bytes = new Uint8Array(8 << 20).fill(7);
//= ok product.displayName "8388608,7"
@Product({ name: "x", origin: "https://api.example.com", displayName: [bytes.length, bytes.at(-1)].join() })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
