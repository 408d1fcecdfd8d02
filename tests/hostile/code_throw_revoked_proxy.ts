// row 61: a Proxy that is dead
import { Plan, Product } from "@svc/product";

const { proxy, revoke } = Proxy.revocable({}, {});
revoke();
throw proxy;
//@ UNCAUGHT_EXCEPTION

@Product({ name: "x", origin: "https://api.example.com" })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
