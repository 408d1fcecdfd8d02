// row 70: with what
import { Plan, Product } from "@svc/product";

function withWhat() {
  return withWhat.arguments;
//@ UNCAUGHT_EXCEPTION
}

@Product({ name: "x", origin: "https://api.example.com", displayName: String(withWhat()) })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
