// row 65: promises without timers are allowed
import { Plan, Product } from "@svc/product";

const told = await Array.fromAsync([1, Promise.resolve(2), 3], async (value) => value * 2);
//= ok product.displayName "2,4,6"
@Product({ name: "x", origin: "https://api.example.com", displayName: told.join() })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
