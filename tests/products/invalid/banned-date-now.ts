import { Plan, Product } from "@svc/product";

@Product({ origin: "https://api.example.com" })
export default class BannedDateNow {
//? BANNED_API
  @Plan("starter", { name: `Starter ${Date.now()}`, limits: { requests: { rate: 60, interval: "minute" } } })
  starter!: void;
}
