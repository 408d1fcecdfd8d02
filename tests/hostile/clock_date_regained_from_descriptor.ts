// row 3: the function out of its property descriptor
import { Plan, Product } from "@svc/product";

const { value } = Object.getOwnPropertyDescriptor(Date, "now");
const now = value();
//@ BANNED_API

@Product({ name: "x", origin: "https://api.example.com", displayName: String(now) })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
