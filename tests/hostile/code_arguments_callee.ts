// row 70: and what is running
import { Plan, Product } from "@svc/product";

function running() {
  return arguments.callee;
//@ UNCAUGHT_EXCEPTION
}

@Product({ name: "x", origin: "https://api.example.com", displayName: String(running()) })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
