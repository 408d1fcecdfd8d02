// row 42: one long list in two places: the second is more than one call may hold
import { Plan, Product, Raw } from "@svc/product";

const long = () => new Array(150_000).fill(0);
@Product({ name: "x", origin: "https://api.example.com" })
@Raw({ first: long(), second: new Array(60_000).fill(0) })
//                            ^^^^^^^^^^^^^^^^^^^^^^^^^ VALUE_NOT_PLAIN
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
