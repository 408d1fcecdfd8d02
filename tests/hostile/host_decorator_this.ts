// row 87: what the package's functions get as `this` does not matter
import { Plan, Product } from "@svc/product";

const plan = Reflect.apply(Plan, new Proxy({}, { get() { throw new Error("asked"); } }), ["free", { limits: { requests: { rate: 1, interval: "minute" } } }]);
@Product.call(null, { name: "x", origin: "https://api.example.com" })
//= ok plans[0].key "free"
export default class X {
  @plan
  free!: void;
}
