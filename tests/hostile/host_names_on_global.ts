// row 72: every own name of the global, strings and symbols, put where all can see it
import { Plan, Product } from "@svc/product";

//= ok
@Product({ name: "x", origin: "https://api.example.com", displayName: Reflect.ownKeys(globalThis).map(String).join() })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
