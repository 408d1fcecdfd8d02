// row 59: construction with another new.target
import { Plan, Product } from "@svc/product";

const made = Reflect.construct(Function, ["return 1"], Object);
//@ BANNED_API

@Product({ name: "x", origin: "https://api.example.com", displayName: String(made) })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
