// row 59: the constructor as replace's callback
import { Plan, Product } from "@svc/product";

const told = "return 1".replace(/.+/, Function);
//@ BANNED_API

@Product({ name: "x", origin: "https://api.example.com", displayName: told })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
