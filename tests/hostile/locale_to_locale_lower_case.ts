// row 21: the Turkish i
import { Plan, Product } from "@svc/product";

const told = "I".toLocaleLowerCase("tr");
//@ BANNED_API

@Product({ name: "x", origin: "https://api.example.com", displayName: told })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
