// row 33: the module itself awaits for ever, one job at a time
import { Plan, Product } from "@svc/product";

for (;;) await null;
//= BUILD_TIMEOUT
@Product({ name: "x", origin: "https://api.example.com" })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
