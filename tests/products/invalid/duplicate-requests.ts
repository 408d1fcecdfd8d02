import { Plan, Product, Requests } from "@svc/product";

@Product({ origin: "https://api.example.com" })
export default class DuplicateRequests {
  @Requests()
  requests!: void;

  @Requests()
//^^^^^^^^^^^ DUPLICATE_KEY
  again!: void;

  @Plan("starter", { limits: { requests: { rate: 60, interval: "minute" } } })
  starter!: void;
}
