// row 2: `undefined` counts as an argument and is no moment
import { Plan, Product } from "@svc/product";

const told = [new Date(undefined), new Date(null), new Date(NaN), new Date("")].map((date) => date.getTime());
//= ok product.displayName "NaN,0,NaN,NaN"
@Product({ name: "x", origin: "https://api.example.com", displayName: told.join() })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
