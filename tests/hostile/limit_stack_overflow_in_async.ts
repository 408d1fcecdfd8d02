// row 31: recursion through async functions turns into a rejection, which is swallowed
import { Plan, Product } from "@svc/product";

const coil = async () => coil();
await coil().catch(() => {});
//= BUILD_STACK_OVERFLOW
@Product({ name: "x", origin: "https://api.example.com" })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
