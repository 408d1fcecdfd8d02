// row 8: what is given is allowed: parsing, UTC, getters, ISO text
import { Plan, Product } from "@svc/product";

const told = [Date.UTC(2024, 1, 29), Date.parse("2024-02-29"), new Date(1709164800000).toISOString(), new Date("2024-02-29T12:00:00Z").getUTCHours()];
//= ok product.displayName "1709164800000,1709164800000,2024-02-29T00:00:00.000Z,12"
@Product({ name: "x", origin: "https://api.example.com", displayName: told.join() })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
