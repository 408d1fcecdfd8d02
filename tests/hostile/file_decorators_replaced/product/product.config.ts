// row 97: a file's own `Plan` beside the package's `Product` declares nothing
import { Product } from "@svc/product";
import { Plan } from "./lib/names";

@Product({ name: "x", origin: "https://api.example.com", displayName: "no plans" })
//= ok plans []
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
