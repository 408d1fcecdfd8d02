// row 42: very many misuses, each of which is kept for the report
import { Meter, Plan, Product } from "@svc/product";

@Product({ name: "x", origin: "https://api.example.com" })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
for (let i = 0; i < 30_000; i++) Meter("late")(X.prototype, "a rather long name of a member");
//= BUILD_REGISTRY_TOO_LARGE
