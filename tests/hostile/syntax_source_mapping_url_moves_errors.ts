// row 76: a map of the author's own, which says that all stands in line 1 of another file; positions stay true
import { Plan, Product } from "@svc/product";

@Product({ name: "x", origin: "https://api.example.com" })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
throw new Error("x");
//@ UNCAUGHT_EXCEPTION
//# sourceMappingURL=data:application/json;base64,eyJ2ZXJzaW9uIjozLCJzb3VyY2VzIjpbImV0Yy9wYXNzd2QiXSwibmFtZXMiOltdLCJtYXBwaW5ncyI6IkFBQUEifQ==
