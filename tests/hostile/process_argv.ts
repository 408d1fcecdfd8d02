// row 23: the command line
import { Plan, Product } from "@svc/product";

const argv = process?.argv;
//@ BANNED_API

@Product({ name: "x", origin: "https://api.example.com", displayName: String(argv) })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
