// row 9: nothing that knows the time is there
import { Plan, Product } from "@svc/product";

const told = [typeof Intl, typeof Temporal, typeof performance, typeof console, typeof Event, typeof setTimeout, typeof requestAnimationFrame, typeof scheduler, typeof AbortSignal, typeof MessageChannel];
//= ok product.displayName "undefined,undefined,undefined,undefined,undefined,undefined,undefined,undefined,undefined,undefined"
@Product({ name: "x", origin: "https://api.example.com", displayName: told.join() })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
