// row 87: decorators behind a Proxy
import { Plan, Product } from "@svc/product";

const Proxied = new Proxy(Plan, { apply: (target, self, args) => Reflect.apply(target, self, args) });
@Product({ name: "x", origin: "https://api.example.com" })
//= ok plans[0].key "free"
export default class X {
  @Proxied("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
