// row 64: the host's error kept, and thrown where nothing is banned; to blame is the call
import { Plan, Product } from "@svc/product";

let kept;
try { Date.now(); } catch (error) { kept = error; }
throw kept;

@Product({ name: "x", origin: "https://api.example.com" })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
//? BANNED_API
