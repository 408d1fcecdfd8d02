// row 78: another thread
import { Plan, Product } from "@svc/product";

const worker = new Worker("data:text/javascript,1");
//@ BANNED_API

@Product({ name: "x", origin: "https://api.example.com", displayName: String(worker) })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
