// row 74: a module of the host's
import { Plan, Product } from "@svc/product";

const { readFileSync } = await import("node:fs");
//                             ^^^^^^^^^^^^^^^^^ DYNAMIC_IMPORT

@Product({ name: "x", origin: "https://api.example.com", displayName: readFileSync("/etc/passwd", "utf8") })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
