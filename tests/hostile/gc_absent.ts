// row 30: neither has a name
import { Plan, Product } from "@svc/product";

//= ok product.displayName "undefined,undefined,undefined"
@Product({
  name: "x",
  origin: "https://api.example.com",
  displayName: [typeof WeakRef, typeof FinalizationRegistry, typeof gc].join(),
})
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
