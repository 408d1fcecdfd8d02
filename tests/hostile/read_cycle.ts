// row 41: an object that holds itself
import { Plan, Product, Raw } from "@svc/product";

const ring = () => {
  const object = {};
  object.self = object;
  return object;
};
@Product({ name: "x", origin: "https://api.example.com" })
@Raw(ring())
//   ^^^^^^ VALUE_NOT_PLAIN
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
