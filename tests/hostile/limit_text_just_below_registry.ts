// row 42: a long text below the limit comes through whole
import { Plan, Product } from "@svc/product";

@Product({ name: "x", origin: "https://api.example.com", description: "\u00e9".repeat(400_000) })
//= ok product.name "x"
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
