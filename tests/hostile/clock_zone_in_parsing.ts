// row 8: a text without a zone means UTC, whatever TZ says
import { Plan, Product } from "@svc/product";

const told = [Date.parse("2024-01-01T00:00"), new Date(2024, 5, 1).getTimezoneOffset(), new Date(2024, 5, 1).getTime()];
//= ok product.displayName "1704067200000,0,1717200000000"
@Product({ name: "x", origin: "https://api.example.com", displayName: told.join() })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
