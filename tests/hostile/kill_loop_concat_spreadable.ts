// row 33: a concat of something long that holds nothing
import { Plan, Product } from "@svc/product";

const told = [].concat({ length: 2 ** 32 - 1, [Symbol.isConcatSpreadable]: true });
//= BUILD_TIMEOUT | BUILD_OUT_OF_MEMORY
@Product({ name: "x", origin: "https://api.example.com", displayName: String(told.length) })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
