// row 8: the texts that name the zone
import { Plan, Product } from "@svc/product";

const date = new Date(2024, 6, 1, 12);
//= ok
@Product({
  name: "x",
  origin: "https://api.example.com",
  displayName: [date.toString(), date.toDateString(), date.toTimeString(), date.toUTCString(), date + "", date[Symbol.toPrimitive]("default")].join(" / "),
})
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
