// row 33: jobs that make jobs, so that the queue is never empty
import { Plan, Product } from "@svc/product";

const again = () => void Promise.resolve().then(again);
again();
//= BUILD_TIMEOUT
@Product({ name: "x", origin: "https://api.example.com" })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
