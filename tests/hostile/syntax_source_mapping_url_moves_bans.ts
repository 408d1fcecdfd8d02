// row 76: the same for a banned call, by a map on the network
import { Plan, Product } from "@svc/product";

const now = Date.now();
//@ BANNED_API

@Product({ name: "x", origin: "https://api.example.com", displayName: String(now) })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
//# sourceMappingURL=http://example.com/x.map
