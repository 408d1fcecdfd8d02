// row 8: years in which real zones were minutes and seconds off
import { Plan, Product } from "@svc/product";

const told = [1, 1850, 1900, 1937, 1970, 9999].map((year) => new Date(year < 100 ? `000${year}-01-01T00:00` : `${year}-01-01T00:00`).toISOString().slice(11));
//= ok product.displayName "00:00:00.000Z,00:00:00.000Z,00:00:00.000Z,00:00:00.000Z,00:00:00.000Z,00:00:00.000Z"
@Product({ name: "x", origin: "https://api.example.com", displayName: told.join() })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
