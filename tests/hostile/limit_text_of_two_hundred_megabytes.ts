// A5: one text past the heap, flattened
import { Plan, Product, Raw } from "@svc/product";

const text = "x".repeat(2 ** 28 - 20);
const found = text.indexOf("y");
//= BUILD_OUT_OF_MEMORY
@Product({ name: "x", origin: "https://api.example.com" })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
