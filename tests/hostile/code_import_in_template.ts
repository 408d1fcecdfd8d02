// row 74: in a template in a template
import { Plan, Product } from "@svc/product";

const told = `${`${import("node:fs")}`}`;
//                 ^^^^^^^^^^^^^^^^^ DYNAMIC_IMPORT

@Product({ name: "x", origin: "https://api.example.com", displayName: told })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
