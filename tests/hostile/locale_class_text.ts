// row 26: the text of a class, which the transpiler may change but a run may not
import { Plan, Product } from "@svc/product";

const made = class {
  field: number = 1;
  method(a?: string): void {}
};
//= ok
@Product({ name: "x", origin: "https://api.example.com", displayName: made.toString() })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
