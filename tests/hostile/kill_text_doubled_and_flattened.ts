// row 88: the same, but every rope is made flat
import { Plan, Product } from "@svc/product";

const kept = [];
let text = "x";
for (;;) {
  text += text + kept.length;
  kept.push(text.charCodeAt(text.length - 1));
}
//= BUILD_OUT_OF_MEMORY | BUILD_TIMEOUT
@Product({ name: "x", origin: "https://api.example.com", displayName: text })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
