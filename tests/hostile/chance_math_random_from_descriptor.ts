// row 15: the function out of all descriptors of Math
import { Plan, Product } from "@svc/product";

const { random } = Object.getOwnPropertyDescriptors(Math);
const lot = random.value();
//@ BANNED_API

@Product({ name: "x", origin: "https://api.example.com", displayName: String(lot) })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
