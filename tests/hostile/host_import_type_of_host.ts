// row 85: even a type names only what is there
import { Plan, Product } from "@svc/product";

import type { PathLike } from "node:fs";
//= ok product.displayName "x"

@Product({ name: "x", origin: "https://api.example.com", displayName: "x" as PathLike })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
