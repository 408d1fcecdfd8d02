import { Plan, Product } from "@svc/product";

@Product({ origin: "https://api.example.com" })
class Acme {
  @Plan("starter", { limits: { requests: { rate: 60, interval: "minute" } } })
  starter!: void;
}

export = Acme;
//~ 1:15 SYNTAX_NOT_SUPPORTED
