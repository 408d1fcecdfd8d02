// row 74: even the package
import { Plan, Product } from "@svc/product";

const shim = await import("@svc/product");
//                 ^^^^^^^^^^^^^^^^^^^^^^ DYNAMIC_IMPORT

@Product({ name: "x", origin: "https://api.example.com", displayName: String(shim) })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
