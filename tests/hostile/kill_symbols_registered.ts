// row 88: symbols in the registry that is never emptied
import { Plan, Product } from "@svc/product";

for (let i = 0; ; i++) Symbol.for(`${i} ${"x".repeat(2000)}`.slice(0, 1990));
//= BUILD_OUT_OF_MEMORY | BUILD_TIMEOUT
@Product({ name: "x", origin: "https://api.example.com" })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
