// row 40: a trap that declares something while the package copies
import { Meter, Plan, Product, Raw } from "@svc/product";

let target;
const meddling = () => new Proxy({ a: 1 }, {
  ownKeys: () => {
    Meter("meddled")(target, "meddled");
    return ["a"];
  },
});
@Product({ name: "x", origin: "https://api.example.com" })
//= ok meters[0].key "meddled"
@Raw(meddling())
export default class X {
  static {
    target = this.prototype;
  }

  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
