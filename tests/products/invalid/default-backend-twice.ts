import { Backend, Plan, Product } from "@svc/product";

@Product({ origin: "https://api.example.com" })
export default class DefaultBackendTwice {
  @Backend("eu", { default: true })
  eu!: void;

  @Backend("us", { default: true })
//                 ^^^^^^^ DEFAULT_BACKEND_TWICE
  us!: void;

  @Backend("ap", { default: false })
  ap!: void;

  @Plan("starter", { limits: { requests: { rate: 60, interval: "minute" } } })
  starter!: void;
}
