// row 44: how the registry becomes text
import { Plan, Product } from "@svc/product";

JSON.stringify = () => '"stolen"';
//@ UNCAUGHT_EXCEPTION

@Product({ name: "x", origin: "https://api.example.com" })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
