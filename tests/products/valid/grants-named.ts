import { Plan, Product } from "@svc/product";

@Product({ origin: "https://api.example.com" })
export default class GrantsNamed {
  @Plan("starter", {
    limits: { requests: { rate: 60, interval: "minute" } },
    grants: ["priority-support", "Early access", "beta"],
  })
  starter!: void;
}
