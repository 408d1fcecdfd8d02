// row 61: an error whose message is no well-formed text
import { Plan, Product } from "@svc/product";

throw new Error("\ud800");
//@ UNCAUGHT_EXCEPTION

@Product({ name: "x", origin: "https://api.example.com" })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
