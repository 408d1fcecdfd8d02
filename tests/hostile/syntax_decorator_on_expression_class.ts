// row 54: decorators on a class expression, which this dialect does not have
import { Plan, Product } from "@svc/product";

const X = @Product({ name: "x", origin: "https://api.example.com" }) class {
//        ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ DECORATOR_NOT_APPLIED
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
//^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ DECORATOR_NOT_APPLIED
  free!: void;
};
export default X;
