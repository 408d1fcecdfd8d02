// row 33: an author's decorator that never ends
import { Plan, Product } from "@svc/product";

const endless = () => {
  for (;;);
};
@Product({ name: "x", origin: "https://api.example.com" })
//= BUILD_TIMEOUT
export default class X {
  @endless
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
