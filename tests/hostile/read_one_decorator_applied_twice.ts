// row 56: one decorator function on two fields
import { Plan, Product } from "@svc/product";

const free = Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } });
@Product({ name: "x", origin: "https://api.example.com" })
//? DUPLICATE_KEY
export default class X {
  @free
  a!: void;

  @free
  b!: void;
}
