// row 52: things that look like arrays
import { Plan, Product, Raw } from "@svc/product";

const list = function () {
  return arguments;
};
@Product({ name: "x", origin: "https://api.example.com" })
@Raw({
  a: list("a"),
//   ^^^^^^^^^ INTEGER_LIKE_KEY
  b: { 0: "a", length: 1 },
//     ^ INTEGER_LIKE_KEY
  c: new (class extends Array {})(),
//   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ VALUE_NOT_PLAIN
  d: Object.assign([1], { extra: 2 }),
//   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ VALUE_NOT_PLAIN
  e: Object.setPrototypeOf([1], null),
//   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ VALUE_NOT_PLAIN
})
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
