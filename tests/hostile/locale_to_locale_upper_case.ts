// row 21: and its great form
import { Plan, Product } from "@svc/product";

const told = "i".toLocaleUpperCase();
//@ BANNED_API

@Product({ name: "x", origin: "https://api.example.com", displayName: told })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
