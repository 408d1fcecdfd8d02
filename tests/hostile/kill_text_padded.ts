// row 88: padding, flattened by a search
import { Plan, Product } from "@svc/product";

const kept = [];
for (;;) {
  const text = "".padEnd(2 ** 27 + kept.length, "ab");
  text.indexOf("c");
  kept.push(text);
}
//= BUILD_OUT_OF_MEMORY | BUILD_TIMEOUT
@Product({ name: "x", origin: "https://api.example.com", displayName: String(kept.length) })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
