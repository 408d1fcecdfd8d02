// row 33: whoever is stopped begins anew, in catch and in finally
import { Plan, Product } from "@svc/product";

const spin = () => {
  for (;;) {
    try {
      for (;;);
    } catch {
      continue;
    } finally {
      spin();
    }
  }
};
//= BUILD_TIMEOUT
@Product({ name: "x", origin: "https://api.example.com", displayName: String(spin()) })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
