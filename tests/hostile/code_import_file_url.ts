// row 74: a file of the host's
import { Plan, Product } from "@svc/product";

import("file:///etc/passwd").catch(() => {});
//? DYNAMIC_IMPORT

@Product({ name: "x", origin: "https://api.example.com" })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
