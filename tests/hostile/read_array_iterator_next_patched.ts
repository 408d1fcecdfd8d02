// row 44: how an array's iterator steps
import { Plan, Product } from "@svc/product";

Object.getPrototypeOf([][Symbol.iterator]()).next = () => ({ done: true, value: undefined });
//@ UNCAUGHT_EXCEPTION

@Product({ name: "x", origin: "https://api.example.com" })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
