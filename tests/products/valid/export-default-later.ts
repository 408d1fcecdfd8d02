import { Plan, Product } from "@svc/product";

@Product({ origin: "https://api.example.com" })
class Later {
  @Plan("starter", { limits: { requests: { rate: 60, interval: "minute" } } })
  starter!: void;
}

export default Later;
