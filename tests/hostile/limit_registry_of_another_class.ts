// row 42: a class that is not exported may declare what it likes; only the default export is handed over
import { Plan, Product, Raw } from "@svc/product";

class Y {}
for (let i = 0; i < 30; i++) Raw({ text: "x".repeat(100_000) })(Y);
//= ok product.displayName "small"
@Product({ name: "x", origin: "https://api.example.com", displayName: "small" })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
