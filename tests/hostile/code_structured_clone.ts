// row 78: a copy through the host
import { Plan, Product } from "@svc/product";

const copy = structuredClone({ a: 1 });
//@ BANNED_API

@Product({ name: "x", origin: "https://api.example.com", displayName: String(copy) })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
