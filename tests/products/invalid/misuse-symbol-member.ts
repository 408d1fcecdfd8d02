import { Meter, Plan, Product } from "@svc/product";

const tag = Symbol("tag");

@Product({ origin: "https://api.example.com" })
export default class MisuseSymbolMember {
  @Meter("compute")
//^^^^^^^^^^^^^^^^^ DECORATOR_MISUSE
  [tag]!: void;

  @Plan("starter", { limits: { requests: { rate: 60, interval: "minute" } } })
  starter!: void;
}
