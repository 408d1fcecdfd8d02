import { Meter, Plan, Product } from "@svc/product";

@Product({ origin: "https://api.example.com" })
export default class MeterStackedOnOneMember {
  @Meter("compute")
  @Meter("egress")
  @Meter("storage")
  usage!: void;

  @Plan("starter", { limits: { requests: { rate: 60, interval: "minute" } } })
  starter!: void;
}
