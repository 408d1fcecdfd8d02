// row 88: a new large expression in every round
import { Plan, Product } from "@svc/product";

for (let i = 0; ; i++) new RegExp(`(?:a{1,99}){1,9}${i}`).test("a");
//= BUILD_TIMEOUT | BUILD_OUT_OF_MEMORY
@Product({ name: "x", origin: "https://api.example.com" })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
