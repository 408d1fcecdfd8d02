// row 74: the import that is not allowed stands in another file
import { Plan, Product } from "@svc/product";

import { text } from "./lib/secret";
//? IMPORT_NOT_ALLOWED

@Product({ name: "x", origin: "https://api.example.com", displayName: text })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
