// row 2: `new Date` with arguments in the syntax but none in the call
import { Plan, Product } from "@svc/product";

const now = new Date(...[]);
//@ BANNED_API

@Product({ name: "x", origin: "https://api.example.com", displayName: String(now.getTime()) })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
