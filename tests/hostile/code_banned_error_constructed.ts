// row 64: a second error of the host's class, if it has one of its own
import { Plan, Product } from "@svc/product";

let Host = Error;
try {
  Date.now();
} catch (error) {
  Host = error.constructor;
}
throw new Host("BANNED_API: the clock");
//@ UNCAUGHT_EXCEPTION

@Product({ name: "x", origin: "https://api.example.com" })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
