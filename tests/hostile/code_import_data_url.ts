// row 74: code out of text
import { Plan, Product } from "@svc/product";

const told = await import("data:text/javascript,export default 1");
//                 ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ DYNAMIC_IMPORT

@Product({ name: "x", origin: "https://api.example.com", displayName: String(told) })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
