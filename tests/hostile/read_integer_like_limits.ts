// row 47: a dimension that JavaScript puts first
import { Plan, Product } from "@svc/product";

@Product({ name: "x", origin: "https://api.example.com" })
export default class X {
  @Plan("free", {
    limits: {
      requests: { rate: 1, interval: "minute" },
      "10": { rate: 1, interval: "minute" },
//    ^^^^ INTEGER_LIKE_KEY
      2: { rate: 1, interval: "minute" },
//    ^ INTEGER_LIKE_KEY
    },
  })
  free!: void;
}
