// row 33: a promise resolved with a thenable that gives itself
import { Plan, Product } from "@svc/product";

const endless = {
  then(resolve) {
    resolve(endless);
  },
};
await endless;
//= BUILD_TIMEOUT
@Product({ name: "x", origin: "https://api.example.com" })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
