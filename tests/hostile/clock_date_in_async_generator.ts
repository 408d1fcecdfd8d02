// row 2: the clock read in an async generator
import { Plan, Product } from "@svc/product";

async function* clock() {
  yield Date.now();
//@ BANNED_API
}
let told = "";
for await (const now of clock()) told += now;

@Product({ name: "x", origin: "https://api.example.com", displayName: told })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
