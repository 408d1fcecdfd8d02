// row 33: a loop over a getter
import { Plan, Product } from "@svc/product";

const state = { get on() { return true; } };
do {} while (state.on);
//= BUILD_TIMEOUT
@Product({ name: "x", origin: "https://api.example.com" })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
