// row 56: a product under another name than `default`
import { Plan, Product } from "@svc/product";

@Product({ name: "x", origin: "https://api.example.com" })
export class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
//? DEFAULT_EXPORT_MISSING
