// row 42: a text that grows as its letters are made capitals
import { Plan, Product } from "@svc/product";

let text = "ß".repeat(1 << 20);
for (;;) text = text.toUpperCase() + "ß" + text;
//= BUILD_OUT_OF_MEMORY
@Product({ name: "x", origin: "https://api.example.com" })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
