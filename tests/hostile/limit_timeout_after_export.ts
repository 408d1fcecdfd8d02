// row 33: everything is declared and exported when the spinning begins
import { Plan, Product } from "@svc/product";

@Product({ name: "x", origin: "https://api.example.com" })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
for (;;);
//= BUILD_TIMEOUT
