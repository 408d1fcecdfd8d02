// row 47: in the prices of usage
import { Plan, Product } from "@svc/product";

@Product({ name: "x", origin: "https://api.example.com" })
export default class X {
  @Plan("free", {
    limits: { requests: { rate: 1, interval: "minute" } },
    meter: { "4294967295": { micros: 1 } },
//           ^^^^^^^^^^^^ INTEGER_LIKE_KEY
  })
  free!: void;
}
