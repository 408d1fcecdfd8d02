// row 33: jobs that make jobs, each promise waiting for the next one, so that memory grows too
import { Plan, Product } from "@svc/product";

const again = () => Promise.resolve().then(again);
again();
//= BUILD_TIMEOUT | BUILD_OUT_OF_MEMORY
@Product({ name: "x", origin: "https://api.example.com" })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
