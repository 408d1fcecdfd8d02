// row 74: a value read before the file that makes it has run
import { Plan, Product } from "@svc/product";

import { told } from "./lib/a";
//? UNCAUGHT_EXCEPTION

@Product({ name: "x", origin: "https://api.example.com", displayName: told })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
