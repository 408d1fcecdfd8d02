import { Plan, Product } from "@svc/product";

@Product({ origin: "https://api.example.com" })
export default class KeyFormEmpty {
  @Plan("", { limits: { requests: { rate: 60, interval: "minute" } } })
//      ^^ KEY_FORM
  starter!: void;
}
