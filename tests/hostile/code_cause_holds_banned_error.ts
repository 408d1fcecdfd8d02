// row 64: the host's error as the cause of one's own
import { Plan, Product } from "@svc/product";

try {
  Date.now();
} catch (cause) {
  throw new Error("x", { cause });
//@ UNCAUGHT_EXCEPTION
}

@Product({ name: "x", origin: "https://api.example.com" })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
