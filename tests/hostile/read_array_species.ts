// row 67: an array whose species is a trap is no plain array
import { Plan, Product, Raw } from "@svc/product";

const trapped = () => Object.defineProperty([1], "constructor", { value: { [Symbol.species]: Object } });
class List extends Array {
  static get [Symbol.species]() {
    return Object;
  }
}
@Product({ name: "x", origin: "https://api.example.com" })
@Raw({
  a: trapped(),
//   ^^^^^^^^^ VALUE_NOT_PLAIN
  b: List.of(1),
//   ^^^^^^^^^^ VALUE_NOT_PLAIN
})
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
