// row 33: a class that is never finished
import { Plan, Product } from "@svc/product";

@Product({ name: "x", origin: "https://api.example.com" })
//= BUILD_TIMEOUT
export default class X {
  static {
    for (;;);
  }

  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
