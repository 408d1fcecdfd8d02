// row 13: the function as a promise's executor, whose throw the promise swallows
import { Plan, Product } from "@svc/product";

let told = "";
await new Promise(Math.random).catch(() => (told = "caught"));
//= ok product.displayName "caught"
@Product({ name: "x", origin: "https://api.example.com", displayName: told })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
