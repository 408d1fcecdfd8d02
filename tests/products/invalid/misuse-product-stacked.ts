import { Plan, Product } from "@svc/product";

@Product({ origin: "https://api.example.com", name: "upper" })
//~ 1:63 DECORATOR_MISUSE
@Product({ origin: "https://api.example.com" })
export default class MisuseProductStacked {
  @Plan("starter", { limits: { requests: { rate: 60, interval: "minute" } } })
  starter!: void;
}
