// row 49: half a character cut off at run time
import { Plan, Product } from "@svc/product";

@Product({ name: "x", origin: "https://api.example.com", displayName: "\u{1f600}".slice(0, 1) })
//                                                                    ^^^^^^^^^^^^^^^^^^^^^^^ TEXT_FORM
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
