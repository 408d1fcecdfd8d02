// row 56: the package's second entry, by which the host reads
import { Plan, Product } from "@svc/product";

import { readRegistry } from "@svc/product/registry";
//                           ^^^^^^^^^^^^^^^^^^^^^^^ IMPORT_NOT_ALLOWED

@Product({ name: "x", origin: "https://api.example.com", displayName: String(readRegistry) })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
