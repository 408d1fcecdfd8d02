// row 21: an array asks its elements
import { Plan, Product } from "@svc/product";

const told = [1234.5].toLocaleString();
//@ BANNED_API

@Product({ name: "x", origin: "https://api.example.com", displayName: told })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
