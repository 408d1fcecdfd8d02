import { Plan, Product } from "@svc/product";

@Product({ origin: "https://api.example.com" })
export default class MisuseProductOnMember {
  @Product({ origin: "https://api.example.com" })
//^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ DECORATOR_MISUSE
  product!: void;

  @Plan("starter", { limits: { requests: { rate: 60, interval: "minute" } } })
  starter!: void;
}
