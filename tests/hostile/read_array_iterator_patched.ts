// row 44: how arrays are walked
import { Plan, Product } from "@svc/product";

Array.prototype[Symbol.iterator] = function* () {
  yield "stolen";
};

@Product({ name: "x", origin: "https://api.example.com" })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
//? UNCAUGHT_EXCEPTION
