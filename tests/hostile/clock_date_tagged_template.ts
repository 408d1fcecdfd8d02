// row 1: the function as a template's tag
import { Plan, Product } from "@svc/product";

const now = Date`1970`;
//@ BANNED_API

@Product({ name: "x", origin: "https://api.example.com", displayName: now })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
