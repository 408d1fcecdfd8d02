// row 50: estimates
import { Meter, Plan, Product } from "@svc/product";

@Product({ name: "x", origin: "https://api.example.com" })
export default class X {
  @Meter("a", { estimate: NaN })
//                        ^^^ ESTIMATE_NOT_A_NUMBER
  a!: void;

  @Meter("b", { estimate: Infinity })
//                        ^^^^^^^^ NUMBER_RANGE
  b!: void;

  @Meter("c", { estimate: -0 })
//                        ^^ NUMBER_RANGE
  c!: void;

  @Meter("d", { estimate: "5" })
//                        ^^^ WRONG_TYPE
  d!: void;

  @Meter("e", { estimate: 5n })
//                        ^^ VALUE_NOT_PLAIN
  e!: void;

  @Meter("f", { estimate: 1e300 })
//                        ^^^^^ NUMBER_RANGE
  f!: void;

  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
