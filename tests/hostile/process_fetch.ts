// row 23: the network
import { Plan, Product } from "@svc/product";

const answer = await fetch("http://169.254.169.254/latest/meta-data/");
//@ BANNED_API

@Product({ name: "x", origin: "https://api.example.com", displayName: String(answer) })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
