// row 33: an async function that nobody awaits and that never ends
import { Plan, Product } from "@svc/product";

(async () => {
  for (;;) await null;
})();
//= BUILD_TIMEOUT
@Product({ name: "x", origin: "https://api.example.com" })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
