// row 72: and of what the global inherits from
import { Plan, Product } from "@svc/product";

const told = [];
for (let link = Object.getPrototypeOf(globalThis); link !== null; link = Object.getPrototypeOf(link)) told.push(Reflect.ownKeys(link).map(String).join());
//= ok
@Product({ name: "x", origin: "https://api.example.com", displayName: told.join(" / ") })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
