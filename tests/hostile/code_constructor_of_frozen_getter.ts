// row 57: from a getter out of a property descriptor
import { Plan, Product } from "@svc/product";

const { get } = Object.getOwnPropertyDescriptor(Map.prototype, "size");
const host = get.constructor("return this")();
//@ BANNED_API

@Product({ name: "x", origin: "https://api.example.com", displayName: String(host) })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
