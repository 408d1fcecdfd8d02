// row 7: Temporal regained from a Date, whose prototype has a way to it in newer engines
import { Plan, Product } from "@svc/product";

const made = new Date(0).toTemporalInstant;
//= ok product.displayName "undefined"
@Product({ name: "x", origin: "https://api.example.com", displayName: typeof made })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
