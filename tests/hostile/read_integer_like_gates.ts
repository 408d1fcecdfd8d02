// row 47: in the gates of features, and as a meter's key
import { Meter, Plan, Product } from "@svc/product";

@Product({ name: "x", origin: "https://api.example.com" })
export default class X {
  @Meter("12")
//       ^^^^ INTEGER_LIKE_KEY
  m!: void;

  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } }, featureGates: { "0": true } })
//                                                                                       ^^^ INTEGER_LIKE_KEY
  free!: void;
}
