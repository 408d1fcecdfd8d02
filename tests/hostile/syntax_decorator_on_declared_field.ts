// row 54: a field that is only declared is decorated all the same, in TypeScript's dialect
import { Plan, Product } from "@svc/product";

@Product({ name: "x", origin: "https://api.example.com" })
//= ok plans[0].key "free"
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  declare free: void;
  constructor(readonly rate = 1) {}
}
