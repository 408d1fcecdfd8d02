// row 19: numbers by the host's locale
import { Plan, Product } from "@svc/product";

const told = new Intl.NumberFormat().format(1234.5);
//@ BANNED_API

@Product({ name: "x", origin: "https://api.example.com", displayName: told })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
