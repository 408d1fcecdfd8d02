// row 86: V8's own lies under deno_core's
import { Plan, Product } from "@svc/product";

//= ok product.displayName "undefined,false"
@Product({
  name: "x",
  origin: "https://api.example.com",
  displayName: [typeof queueMicrotask, "queueMicrotask" in globalThis].join(),
})
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
