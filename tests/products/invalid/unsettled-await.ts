import { Plan, Product } from "@svc/product";

//? UNSETTLED_AWAIT
await new Promise(() => {});

@Product({ origin: "https://api.example.com" })
export default class UnsettledAwait {
  @Plan("starter", { limits: { requests: { rate: 60, interval: "minute" } } })
  starter!: void;
}
