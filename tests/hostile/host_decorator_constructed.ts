// row 87: the package's functions called with `new`
import { Plan, Product } from "@svc/product";

const free = new Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } });
@Product({ name: "x", origin: "https://api.example.com" })
//= ok plans[0].key "free"
export default class X {
  @free
  free!: void;
}
