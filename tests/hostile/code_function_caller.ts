// row 70: who called
import { Plan, Product } from "@svc/product";

function whom() {
  return whom.caller;
//@ UNCAUGHT_EXCEPTION
}

@Product({ name: "x", origin: "https://api.example.com", displayName: String(whom()) })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
