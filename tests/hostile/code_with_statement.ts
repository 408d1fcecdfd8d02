// row 71: a scope that is a Proxy
import { Plan, Product } from "@svc/product";

with (new Proxy({}, { has: () => true, get: (_, name) => String(name) })) {
  secret;
}

@Product({ name: "x", origin: "https://api.example.com" })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
//? SYNTAX_ERROR
