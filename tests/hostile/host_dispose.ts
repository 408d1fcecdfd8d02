// row 87: resources that end with their scope
import { Plan, Product } from "@svc/product";

const told = [];
{
  using one = { [Symbol.dispose]: () => told.push("one") };
  using two = { [Symbol.dispose]: () => told.push("two") };
}
//= ok product.displayName "two,one"
@Product({ name: "x", origin: "https://api.example.com", displayName: told.join() })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
