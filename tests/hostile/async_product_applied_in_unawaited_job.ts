// row 34: the class becomes a product in a job that runs before anybody reads
import { Plan, Product } from "@svc/product";

export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
Promise.resolve().then(() => Product({ name: "x", origin: "https://api.example.com", displayName: "in a job" })(X));
//= ok product.displayName "in a job"
