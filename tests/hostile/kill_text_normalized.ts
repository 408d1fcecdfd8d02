// row 88: one letter turned into eighteen, by ICU, whose memory lies beside V8's heap
import { Plan, Product } from "@svc/product";

const text = "\ufdfa".repeat(10_000_000).normalize("NFKD");
//@ BANNED_API

@Product({ name: "x", origin: "https://api.example.com", displayName: String(text.length) })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
