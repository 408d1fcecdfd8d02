// row 44: how keys are found
import { Plan, Product } from "@svc/product";

Reflect.ownKeys = () => ["stolen"];
//@ UNCAUGHT_EXCEPTION

@Product({ name: "x", origin: "https://api.example.com" })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
