// row 65: `then` for everybody
import { Plan, Product } from "@svc/product";

Promise.prototype.then = function (resolve) {
  resolve("stolen");
};

@Product({ name: "x", origin: "https://api.example.com" })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
//? UNCAUGHT_EXCEPTION
