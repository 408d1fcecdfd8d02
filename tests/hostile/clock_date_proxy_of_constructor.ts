// row 3: a Proxy of the constructor passes the construction on
import { Plan, Product } from "@svc/product";

const Wrapped = new Proxy(Date, {});
const now = new Wrapped();
//@ BANNED_API

@Product({ name: "x", origin: "https://api.example.com", displayName: String(now) })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
