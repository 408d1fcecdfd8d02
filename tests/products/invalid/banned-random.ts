import { Plan, Product } from "@svc/product";

//? BANNED_API
const rate = Math.floor(Math.random() * 100);

@Product({ origin: "https://api.example.com" })
export default class BannedRandom {
  @Plan("starter", { limits: { requests: { rate, interval: "minute" } } })
  starter!: void;
}
