// row 40: which traps were called, and in which order, is the same in every run
import { Plan, Product, Raw } from "@svc/product";

const log = [];
const handler = new Proxy({}, {
  get: (_, trap) => {
    log.push(String(trap));
    return undefined;
  },
});
@Product({ name: "x", origin: "https://api.example.com" })
@Raw(new Proxy({ a: 1, b: [2] }, handler))
@Raw({ log })
//= ok raw.a 1
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
