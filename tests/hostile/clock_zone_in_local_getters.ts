// row 8: local getters and setters say what their UTC fellows say, over both ends of summer time in any zone
import { Plan, Product } from "@svc/product";

let differing = 0;
for (let hour = 0; hour < 9000; hour += 7) {
  const date = new Date(Date.UTC(2024, 0, 1, hour));
  if (date.getHours() !== date.getUTCHours() || date.getDate() !== date.getUTCDate()) differing++;
  if (date.getTimezoneOffset() !== 0 || date.getDay() !== date.getUTCDay()) differing++;
  if (new Date(date).setHours(3) !== new Date(date).setUTCHours(3)) differing++;
}
//= ok product.displayName "0"
@Product({ name: "x", origin: "https://api.example.com", displayName: String(differing) })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
