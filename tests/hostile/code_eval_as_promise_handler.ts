// row 59: eval as a handler
import { Plan, Product } from "@svc/product";

const told = await Promise.resolve("1 + 1").then(eval);

@Product({ name: "x", origin: "https://api.example.com", displayName: String(told) })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
//? BANNED_API
