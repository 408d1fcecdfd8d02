// row 40: each trap throws
import { Plan, Product, Raw } from "@svc/product";

const refuse = () => {
  throw new Error("no");
};
@Product({ name: "x", origin: "https://api.example.com" })
@Raw({
  a: new Proxy({}, { ownKeys: refuse }),
//   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ VALUE_NOT_PLAIN
  b: new Proxy({}, { getPrototypeOf: refuse }),
//   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ VALUE_NOT_PLAIN
  c: new Proxy({ x: 1 }, { getOwnPropertyDescriptor: refuse }),
//   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ VALUE_NOT_PLAIN
  d: new Proxy([1], { getOwnPropertyDescriptor: refuse }),
//   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ VALUE_NOT_PLAIN
  e: new Proxy({ x: 1 }, { get: refuse, has: refuse, set: refuse }),
})
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
