// row 21: the method that all objects inherit
import { Plan, Product } from "@svc/product";

const told = ({}).toLocaleString();
//@ BANNED_API

@Product({ name: "x", origin: "https://api.example.com", displayName: told })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
