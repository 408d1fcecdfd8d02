// row 17: a new buffer shows nothing of what was in that memory before
import { Plan, Product } from "@svc/product";

let sum = 0;
for (let round = 0; round < 50; round++) {
  const dirty = new Uint8Array(100_000).fill(255);
  const fresh = new Uint8Array(100_000);
  for (let i = round; i < fresh.length; i += 997) sum += fresh[i];
  sum += dirty[0] - 255;
}
//= ok product.displayName "0"
@Product({ name: "x", origin: "https://api.example.com", displayName: String(sum) })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
