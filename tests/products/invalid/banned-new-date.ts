import { Plan, Product } from "@svc/product";

//? BANNED_API
@Product({ origin: "https://api.example.com", description: new Date().toISOString() })
export default class BannedNewDate {
  @Plan("starter", { limits: { requests: { rate: 60, interval: "minute" } } })
  starter!: void;
}
