// row 91: memory by call sites that each keep their template
import { Plan, Product } from "@svc/product";

const tag = (strings) => strings;
const kept = new Set();
for (let i = 0; i < 10_000; i++) kept.add(tag`x${i}y`);
//= ok product.displayName "1"
@Product({ name: "x", origin: "https://api.example.com", displayName: String(kept.size) })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
