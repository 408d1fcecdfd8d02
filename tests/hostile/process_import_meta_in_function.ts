// row 24: the address in a function nobody calls
import { Plan, Product } from "@svc/product";

export function here() {
  return import.meta.dirname + import.meta;
//       ^^^^^^^^^^^ IMPORT_META
//                             ^^^^^^^^^^^ IMPORT_META
}

@Product({ name: "x", origin: "https://api.example.com" })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
