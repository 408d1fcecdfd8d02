// row 56: the field's name tries the same
import { Plan, Product } from "@svc/product";

@Product({ name: "x", origin: "https://api.example.com" })
//= ok plans[0].name "\",\"args\":[]}],\"misuses\":[\u2028"
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  ['","args":[]}],"misuses":[\u2028']!: void;
}
