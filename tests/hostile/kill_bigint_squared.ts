// row 88: a number squared for ever, with every refusal caught
import { Plan, Product } from "@svc/product";

let large = 3n;
for (;;) {
  try {
    large *= large;
  } catch {
    large = 3n;
  }
}
//= BUILD_TIMEOUT | BUILD_OUT_OF_MEMORY
@Product({ name: "x", origin: "https://api.example.com", displayName: String(large) })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
