// row 60: the number of frames
import { Plan, Product } from "@svc/product";

Error.stackTraceLimit = 200;
//@ UNCAUGHT_EXCEPTION

@Product({ name: "x", origin: "https://api.example.com" })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
