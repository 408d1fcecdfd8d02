// row 45: names that every object inherits are keys like any other
import { Meter, Plan, Product } from "@svc/product";

@Product({ name: "x", origin: "https://api.example.com" })
//= ok meters[0].key "constructor"
export default class X {
  @Meter("constructor")
  a!: void;

  @Meter("tostring", { display: "toString" })
  b!: void;

  @Plan("valueof", { limits: { requests: { rate: 1, interval: "minute" }, constructor: { rate: 1, interval: "minute" } } })
  c!: void;
}
