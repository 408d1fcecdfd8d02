// row 52: frozen, without a prototype, spread, parsed: plain all the same
import { Plan, Product, Raw } from "@svc/product";

@Product({ name: "x", origin: "https://api.example.com" })
@Raw(Object.freeze({ a: Object.freeze([1]) }))
@Raw(Object.assign(Object.create(null), { b: 2 }))
@Raw({ ...JSON.parse('{"c":3}'), d: undefined, e: [...new Set([4])] })
//= ok raw {"a":[1],"b":2,"c":3,"e":[4]}
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
