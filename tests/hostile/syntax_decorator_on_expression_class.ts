// row 54: decorators on a class expression, which this dialect does not have
import { Plan, Product } from "@svc/product";

const X = @Product({ name: "x", origin: "https://api.example.com" }) class {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
};
export default X;
//? SYNTAX_ERROR
