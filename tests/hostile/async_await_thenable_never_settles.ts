// row 35: a thenable that calls nobody back
import { Plan, Product } from "@svc/product";

const silent = { then() {} };
await silent;
//@ UNSETTLED_AWAIT

@Product({ name: "x", origin: "https://api.example.com" })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
