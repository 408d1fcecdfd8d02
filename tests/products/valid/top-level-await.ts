import { Plan, Product } from "@svc/product";

const rate = await Promise.resolve(60);

@Product({ origin: "https://api.example.com" })
export default class TopLevelAwait {
  @Plan("starter", { limits: { requests: { rate, interval: "minute" } } })
  starter!: void;
}
