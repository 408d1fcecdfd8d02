// row 97: the decorators come from a file that passes them on under other names
import { Offer, Thing } from "./lib/names";

@Thing({ name: "x", origin: "https://api.example.com" })
//= ok plans[0].key "free"
export default class X {
  @Offer("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
