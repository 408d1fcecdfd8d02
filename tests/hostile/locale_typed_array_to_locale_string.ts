// row 21: so does a typed array
import { Plan, Product } from "@svc/product";

const told = new Float64Array([1234.5]).toLocaleString();
//@ BANNED_API

@Product({ name: "x", origin: "https://api.example.com", displayName: told })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
