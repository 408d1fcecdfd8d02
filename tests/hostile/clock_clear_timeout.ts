// row 11: the harmless half of the pair is not there either
import { Plan, Product } from "@svc/product";

clearTimeout(1);
//@ BANNED_API

@Product({ name: "x", origin: "https://api.example.com" })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
