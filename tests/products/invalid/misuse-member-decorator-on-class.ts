import { Plan, Product } from "@svc/product";

@Product({ origin: "https://api.example.com" })
@Plan("growth", { limits: { requests: { rate: 60, interval: "minute" } } })
//~ 1:76 DECORATOR_MISUSE
export default class MisuseMemberDecoratorOnClass {
  @Plan("starter", { limits: { requests: { rate: 60, interval: "minute" } } })
  starter!: void;
}
