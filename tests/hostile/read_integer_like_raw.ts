// row 47: deep in free JSON, by a decimal, a hexadecimal and a computed literal
import { Plan, Product, Raw } from "@svc/product";

@Product({ name: "x", origin: "https://api.example.com" })
@Raw({ a: { 16: 1 } })
//          ^^ INTEGER_LIKE_KEY
@Raw({ b: { [1 + 1]: 1 } })
//        ^^^^^^^^^^^^^^ INTEGER_LIKE_KEY
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
