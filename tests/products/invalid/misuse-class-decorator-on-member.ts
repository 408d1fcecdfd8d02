import { Frontend, Plan, Product } from "@svc/product";

@Product({ origin: "https://api.example.com" })
export default class MisuseClassDecoratorOnMember {
  @Frontend({ nav: [] })
//^^^^^^^^^^^^^^^^^^^^^^ DECORATOR_MISUSE
  frontend!: void;

  @Plan("starter", { limits: { requests: { rate: 60, interval: "minute" } } })
  starter!: void;
}
