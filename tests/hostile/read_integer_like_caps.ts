// row 47: in caps
import { Plan, Product } from "@svc/product";

@Product({ name: "x", origin: "https://api.example.com" })
export default class X {
  @Plan("free", {
    limits: { requests: { rate: 1, interval: "minute" } },
    caps: { "7": 1 },
//          ^^^ INTEGER_LIKE_KEY
  })
  free!: void;
}
