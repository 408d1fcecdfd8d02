// row 41: 100,000 objects inside each other
import { Plan, Product, Raw } from "@svc/product";

const deep = () => {
  let object = {};
  for (let i = 0; i < 100_000; i++) object = { object };
  return object;
};
@Product({ name: "x", origin: "https://api.example.com" })
@Raw(deep())
//   ^^^^^^ VALUE_NOT_PLAIN
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
