import { Plan, Product, Raw } from "@svc/product";

@Raw({
  support: "email",
})
//~ 3:1-5:3 DECORATOR_MISUSE
@Product({ origin: "https://api.example.com" })
export default class MisuseAboveProductLines {
  @Plan("starter", { limits: { requests: { rate: 60, interval: "minute" } } })
  starter!: void;
}
