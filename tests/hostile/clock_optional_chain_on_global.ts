// row 9: a real feature test finds nothing and goes on
import { Plan, Product } from "@svc/product";

const now = globalThis.performance?.now?.() ?? globalThis.Deno?.core?.ops?.op_timer_now?.() ?? "no clock";
//= ok product.displayName "no clock"
@Product({ name: "x", origin: "https://api.example.com", displayName: String(now) })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
