// row 57: the classic
import { Plan, Product } from "@svc/product";

const host = [].constructor.constructor("return globalThis")();
//@ BANNED_API

@Product({ name: "x", origin: "https://api.example.com", displayName: String(host) })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
