// row 54: on a parameter of the constructor
import { Meter, Plan, Product } from "@svc/product";

@Product({ name: "x", origin: "https://api.example.com" })
//? DECORATOR_MISUSE
export default class X {
  constructor(@Meter("m") readonly m: number) {}

  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
