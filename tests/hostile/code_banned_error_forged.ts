// row 64: an error that looks like the host's in all that can be copied is the author's own
import { Plan, Product } from "@svc/product";

let forged = new Error("x");
try {
  Date.now();
} catch (error) {
  forged = Object.defineProperties(Object.create(Object.getPrototypeOf(error)), Object.getOwnPropertyDescriptors(error));
}
throw forged;
//@ UNCAUGHT_EXCEPTION

@Product({ name: "x", origin: "https://api.example.com" })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
