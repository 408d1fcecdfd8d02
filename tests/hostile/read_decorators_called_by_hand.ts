// row 56: decorators called by hand inside the class count like written ones
import { Meter, Plan, Product } from "@svc/product";

@Product({ name: "x", origin: "https://api.example.com" })
//= ok meters[0].key "by_hand"
export default class X {
  static {
    Meter("by_hand")(this.prototype, "byHand");
  }

  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
