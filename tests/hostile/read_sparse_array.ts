// row 42: an array of four billion holes, and small ones
import { Plan, Product, Raw } from "@svc/product";

@Product({ name: "x", origin: "https://api.example.com" })
@Raw({
  a: new Array(2 ** 32 - 1),
//   ^^^^^^^^^^^^^^^^^^^^^^ VALUE_NOT_PLAIN
  b: new Array(3),
//   ^^^^^^^^^^^^ VALUE_NOT_PLAIN
  c: [1, , 3],
//   ^^^^^^^^ VALUE_NOT_PLAIN
})
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
