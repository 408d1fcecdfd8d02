// row 3: the constructor, taken from an instance that is allowed
import { Plan, Product } from "@svc/product";

const now = new (new Date(0).constructor)();
//@ BANNED_API

@Product({ name: "x", origin: "https://api.example.com", displayName: String(now.getTime()) })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
