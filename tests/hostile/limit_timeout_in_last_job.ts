// row 33: the spinning begins when the module has ended
import { Plan, Product } from "@svc/product";

@Product({ name: "x", origin: "https://api.example.com" })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
Promise.resolve().then(() => {
  for (;;);
});
//= BUILD_TIMEOUT
