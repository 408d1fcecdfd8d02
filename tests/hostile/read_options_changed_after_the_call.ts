// row 38: the object is changed between the call and the end of the module
import { Plan, Product } from "@svc/product";

const options = { name: "x", origin: "https://api.example.com", displayName: "before" };
const closed = Product(options);
options.displayName = "after";
delete options.origin;
@closed
//= ok product.displayName "before"
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
options.displayName = "long after";
