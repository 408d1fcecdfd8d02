// row 64: an error that is its own cause
import { Plan, Product } from "@svc/product";

const error = new Error("x");
Object.defineProperty(error, "cause", { value: error });
throw error;

@Product({ name: "x", origin: "https://api.example.com" })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
//? UNCAUGHT_EXCEPTION
