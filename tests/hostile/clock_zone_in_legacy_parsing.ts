// row 8: the forms only V8's old parser knows
import { Plan, Product } from "@svc/product";

const told = ["Jan 1 2024", "2024/07/01 12:00", "1 July 2024", "Mon, 01 Jul 2024 12:00:00", "2024-3-31 2:30"].map((text) => Date.parse(text));
//= ok product.displayName "1704067200000,1719835200000,1719792000000,1719835200000,1711852200000"
@Product({ name: "x", origin: "https://api.example.com", displayName: told.join() })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
