// row 34: the class becomes a product only behind an await, which is late but in time
import { Plan, Product } from "@svc/product";

export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
await null;
Product({ name: "x", origin: "https://api.example.com", displayName: "in time" })(X);
//= ok product.displayName "in time"
