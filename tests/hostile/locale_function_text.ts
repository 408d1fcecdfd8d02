// row 26: the text of functions: arrow, getter, native, bound, the package's own
import { Plan, Product } from "@svc/product";

const getter = Object.getOwnPropertyDescriptor({ get a() { return 1; } }, "a").get;
//= ok
@Product({
  name: "x",
  origin: "https://api.example.com",
  displayName: [(a: number) => a, getter, Array.prototype.map, (() => {}).bind(null), class {}, Plan].map(String).join(" "),
})
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
