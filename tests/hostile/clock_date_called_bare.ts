// row 1: the product's name is the clock's text
import { Plan, Product } from "@svc/product";

@Product({
  origin: "https://api.example.com",
  name: Date(),
//@ BANNED_API
})
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
