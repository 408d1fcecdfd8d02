import { Plan, Policy, Product } from "@svc/product";

@Product({ origin: "https://api.example.com" })
export default class ValueError {
  @Policy("signed-in", { kind: "auth", config: { last: new Error("none") as never } })
//                                                     ^^^^^^^^^^^^^^^^^ VALUE_NOT_PLAIN
  signedIn!: void;

  @Plan("starter", { limits: { requests: { rate: 60, interval: "minute" } } })
  starter!: void;
}
