// row 42: the same as a key
import { Meter, Plan, Product } from "@svc/product";

@Product({ name: "x", origin: "https://api.example.com" })
//= BUILD_OUT_OF_MEMORY
export default class X {
  @Meter("x".padEnd(2 ** 29 - 24, "xy"))
  m!: void;

  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
