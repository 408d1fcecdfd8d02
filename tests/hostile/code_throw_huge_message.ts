// row 61: an error with a message of eight megabytes; the report must be cut, and the build must not die of it
import { Plan, Product } from "@svc/product";

throw new Error("x".repeat(8 << 20));
//@ UNCAUGHT_EXCEPTION

@Product({ name: "x", origin: "https://api.example.com" })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
