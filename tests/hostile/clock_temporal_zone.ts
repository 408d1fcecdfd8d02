// row 7: the zone of the host
import { Plan, Product } from "@svc/product";

const zone = Temporal.Now.timeZoneId();
//@ BANNED_API

@Product({ name: "x", origin: "https://api.example.com", displayName: zone })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
