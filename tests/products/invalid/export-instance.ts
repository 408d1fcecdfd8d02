import { Plan, Product } from "@svc/product";

@Product({ origin: "https://api.example.com" })
class Acme {
  @Plan("starter", { limits: { requests: { rate: 60, interval: "minute" } } })
  starter!: void;
}

//? DEFAULT_EXPORT_NOT_PRODUCT
export default new Acme();
