import { Meter, Plan, Product } from "@svc/product";

@Product({ origin: "https://api.example.com" })
export default class KeyIntegerLikeDeclaration {
  @Meter("42")
//       ^^^^ INTEGER_LIKE_KEY
  compute!: void;

  @Plan("starter", { limits: { requests: { rate: 60, interval: "minute" } } })
  starter!: void;
}
