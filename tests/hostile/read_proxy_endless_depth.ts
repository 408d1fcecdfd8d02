// row 40: a Proxy that holds another for ever
import { Plan, Product, Raw } from "@svc/product";

const endless = () => new Proxy({}, {
  ownKeys: () => ["deeper"],
  getOwnPropertyDescriptor: () => ({ value: endless(), enumerable: true, configurable: true }),
});
@Product({ name: "x", origin: "https://api.example.com" })
@Raw({ a: endless() })
//        ^^^^^^^^^ VALUE_NOT_PLAIN
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
