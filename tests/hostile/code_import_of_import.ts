// row 74: an import of what an import gives
import { Plan, Product } from "@svc/product";

const told = await import(await import("node:fs"));
//                 ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ DYNAMIC_IMPORT
//                              ^^^^^^^^^^^^^^^^^ DYNAMIC_IMPORT

@Product({ name: "x", origin: "https://api.example.com", displayName: String(told) })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
