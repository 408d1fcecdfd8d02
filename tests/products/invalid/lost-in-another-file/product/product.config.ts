//? DECORATOR_NOT_APPLIED
import { Plan, Product } from "@svc/product";
import { rate } from "./lite";

@Product({ origin: "https://api.example.com" })
export default class Acme {
  @Plan("starter", { limits: { requests: { rate, interval: "minute" } } })
  starter!: void;
}
