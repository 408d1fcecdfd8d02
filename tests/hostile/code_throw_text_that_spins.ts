// row 61: an object that spins while it becomes text
import { Plan, Product } from "@svc/product";

throw { toString() { for (;;); } };
//@ UNCAUGHT_EXCEPTION

@Product({ name: "x", origin: "https://api.example.com" })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
