import { Plan, Product } from "@svc/product";

const nothing = undefined as never as typeof Plan;

@Product({ origin: "https://api.example.com" })
export default class Acme {
  @Plan("starter", { limits: { requests: { rate: 60, interval: "minute" } } }) starter!: void;
  @nothing("b") m!: void;
// ^^^^^^^ UNCAUGHT_EXCEPTION
}
