// row 64: the host's error caught and thrown again is still the host's
import { Plan, Product } from "@svc/product";

try { Date.now(); } catch (error) { throw error; }
//@ BANNED_API

@Product({ name: "x", origin: "https://api.example.com" })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
