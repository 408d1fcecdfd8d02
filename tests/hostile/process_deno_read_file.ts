// row 23: a file
import { Plan, Product } from "@svc/product";

const text = Deno.readTextFileSync("/etc/passwd");
//@ BANNED_API

@Product({ name: "x", origin: "https://api.example.com", displayName: text })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
