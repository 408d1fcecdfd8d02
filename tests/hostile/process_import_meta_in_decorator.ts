// row 24: the address as an option
import { Plan, Product } from "@svc/product";

@Product({ name: "x", origin: "https://api.example.com", displayName: import.meta.filename })
//                                                                    ^^^^^^^^^^^ IMPORT_META
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
