// row 74: a method of that name is no import
import { Plan, Product } from "@svc/product";

const own = { import: (name) => `${name} imported` };
//= ok product.displayName "node:fs imported"
@Product({ name: "x", origin: "https://api.example.com", displayName: own.import("node:fs") })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
