// row 74: TypeScript's own import, which is a `require`
import { Plan, Product } from "@svc/product";

import fs = require("node:fs");

@Product({ name: "x", origin: "https://api.example.com", displayName: String(fs) })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
//? IMPORT_NOT_ALLOWED
