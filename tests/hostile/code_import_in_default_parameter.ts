// row 74: as a parameter's default
import { Plan, Product } from "@svc/product";

const load = async (module = import("node:fs")) => module;
//                           ^^^^^^^^^^^^^^^^^ DYNAMIC_IMPORT

@Product({ name: "x", origin: "https://api.example.com", displayName: String(load) })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
