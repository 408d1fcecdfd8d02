// row 40: an array whose length is what it likes
import { Plan, Product, Raw } from "@svc/product";

const liar = (length) => new Proxy([1, 2], {
  getOwnPropertyDescriptor: (target, key) => (key === "length" ? { value: length, writable: true } : Reflect.getOwnPropertyDescriptor(target, key)),
});
@Product({ name: "x", origin: "https://api.example.com" })
@Raw({
  a: liar(1e9),
//   ^^^^^^^^^ VALUE_NOT_PLAIN
  b: liar("2"),
//   ^^^^^^^^^ VALUE_NOT_PLAIN
  c: liar(NaN),
//   ^^^^^^^^^ VALUE_NOT_PLAIN
  d: liar(-1),
//   ^^^^^^^^ VALUE_NOT_PLAIN
})
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
