// row 14: the same in bytes
import { Plan, Product } from "@svc/product";

const bytes = crypto.getRandomValues(new Uint8Array(4));
//@ BANNED_API

@Product({ name: "x", origin: "https://api.example.com", displayName: bytes.join() })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
