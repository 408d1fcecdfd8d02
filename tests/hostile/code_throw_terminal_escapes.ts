// row 61: an error whose message would clear the screen
import { Plan, Product } from "@svc/product";

throw new Error("\u001b[2J\u001b]0;title\u0007\r\n\u202e");
//@ UNCAUGHT_EXCEPTION

@Product({ name: "x", origin: "https://api.example.com" })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
