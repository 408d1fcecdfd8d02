// row 60: the hook that is given the stack's frames
import { Plan, Product } from "@svc/product";

Error.prepareStackTrace = (_, frames) => frames;
//@ UNCAUGHT_EXCEPTION

@Product({ name: "x", origin: "https://api.example.com" })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
