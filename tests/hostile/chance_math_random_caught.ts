// row 13: caught, and asked again
import { Plan, Product } from "@svc/product";

let told = "";
for (let i = 0; i < 3; i++) {
  try {
    told += Math.random();
  } catch {
    told += "x";
  }
}
//= ok product.displayName "xxx"
@Product({ name: "x", origin: "https://api.example.com", displayName: told })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
