// row 88: a chain of closures
import { Plan, Product } from "@svc/product";

let chain = () => 0;
for (;;) {
  const inner = chain;
  const room = new Array(200).fill(1);
  chain = () => inner() + room.length;
}
//= BUILD_OUT_OF_MEMORY | BUILD_TIMEOUT
@Product({ name: "x", origin: "https://api.example.com", displayName: String(chain) })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
