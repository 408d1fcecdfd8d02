// row 57: from functions that the engine makes by itself
import { Plan, Product } from "@svc/product";

const { resolve } = Promise.withResolvers();
const host = resolve.constructor("return this")();
//@ BANNED_API

@Product({ name: "x", origin: "https://api.example.com", displayName: String(host) })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
