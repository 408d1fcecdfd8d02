// row 58: the constructor of async functions, which has no name
import { Plan, Product } from "@svc/product";

const made = Object.getPrototypeOf(async () => {}).constructor("return 1");
//@ BANNED_API

@Product({ name: "x", origin: "https://api.example.com", displayName: String(made) })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
