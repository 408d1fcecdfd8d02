// row 44: another decorator in the package's place
import { Plan, Product } from "@svc/product";

import * as shim from "@svc/product";
shim.Plan = () => () => {};
//@ UNCAUGHT_EXCEPTION

@Product({ name: "x", origin: "https://api.example.com" })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
