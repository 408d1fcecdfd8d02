// row 34: the end of a block calls `eval`
import { Plan, Product } from "@svc/product";

{
  using held = { [Symbol.dispose]: eval };
//@ BANNED_API
}
@Product({ name: "x", origin: "https://api.example.com" })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
