// row 45: as the name of the field, which is the plan's name unless another is given
import { Plan, Product } from "@svc/product";

@Product({ name: "x", origin: "https://api.example.com" })
//= ok plans[0].name "__proto__"
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  ["__proto__"]!: void;
}
