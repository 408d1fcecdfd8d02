// row 1: the function as a toString method that only an operator calls
import { Plan, Product } from "@svc/product";

const clock = { toString: Date };
const now = `${clock}`;
//@ BANNED_API

@Product({ name: "x", origin: "https://api.example.com", displayName: now })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
