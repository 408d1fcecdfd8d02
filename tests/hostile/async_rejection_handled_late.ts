// row 34: a rejection handled some jobs later is handled
import { Plan, Product } from "@svc/product";

const lost = Promise.reject(new Error("lost"));
for (let i = 0; i < 10; i++) await null;
let told = "";
await lost.catch((error) => (told = error.message));
//= ok product.displayName "lost"
@Product({ name: "x", origin: "https://api.example.com", displayName: told })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
