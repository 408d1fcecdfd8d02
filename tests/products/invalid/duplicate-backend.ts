import { Backend, Plan, Product } from "@svc/product";

@Product({ origin: "https://api.example.com" })
export default class DuplicateBackend {
  @Backend("main")
  main!: void;

  @Backend("main")
//         ^^^^^^ DUPLICATE_KEY
  other!: void;

  @Plan("starter", { limits: { requests: { rate: 60, interval: "minute" } } })
  starter!: void;
}
