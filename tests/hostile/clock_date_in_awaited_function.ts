// row 2: the clock read behind a top-level await
import { Plan, Product } from "@svc/product";

const now = await (async () => Date.now())();
//@ BANNED_API

@Product({ name: "x", origin: "https://api.example.com", displayName: String(now) })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
