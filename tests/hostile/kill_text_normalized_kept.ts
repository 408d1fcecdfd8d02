// row 88: texts that are short enough to be normalised, again and again, and the results kept
import { Plan, Product } from "@svc/product";

const kept = [];
for (;;) kept.push("\ufdfa".repeat(200_000).normalize("NFKD"));
//= BUILD_OUT_OF_MEMORY | BUILD_TIMEOUT
@Product({ name: "x", origin: "https://api.example.com", displayName: String(kept.length) })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
