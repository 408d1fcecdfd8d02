// row 19: the author's own binding, used too early, is the author's own error
import { Plan, Product } from "@svc/product";

const told = Intl.locale;
//@ UNCAUGHT_EXCEPTION
const Intl = { locale: "mine" };

@Product({ name: "x", origin: "https://api.example.com", displayName: told })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
