// row 23: the number of processors
import { Plan, Product } from "@svc/product";

const cores = navigator.hardwareConcurrency;
//@ BANNED_API

@Product({ name: "x", origin: "https://api.example.com", displayName: String(cores) })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
