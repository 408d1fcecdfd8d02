// row 49: half a character as a title
import { Plan, Product, Surface } from "@svc/product";

@Product({ name: "x", origin: "https://api.example.com", displayName: "\ud800" })
//                                                                    ^^^^^^^^ TEXT_FORM
export default class X {
  @Surface("api", { title: "a\udc00b" })
//                         ^^^^^^^^^^ TEXT_FORM
  api!: void;

  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
