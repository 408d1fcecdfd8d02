// row 72: unicode escapes in all their forms
import { Plan, Product } from "@svc/product";

const told = [typeof \u0044eno, typeof D\u{65}no, typeof \u{5f}_bootstrap, globalThis["\x44eno"], globalThis["\u{44}eno"]];
//= ok product.displayName "undefined,undefined,undefined,,"
@Product({ name: "x", origin: "https://api.example.com", displayName: told.join() })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
