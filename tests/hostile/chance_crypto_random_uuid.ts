// row 14: chance from the host
import { Plan, Product } from "@svc/product";

const lot = crypto.randomUUID();
//@ BANNED_API

@Product({ name: "x", origin: "https://api.example.com", displayName: lot })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
