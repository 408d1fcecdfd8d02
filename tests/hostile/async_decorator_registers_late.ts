// row 34: a decorator that awaits, then declares what it has, after @Product closed the class
import { Plan, Product } from "@svc/product";

const eventually = (target, member) => {
  Promise.resolve().then(() => Plan("late", { limits: { requests: { rate: 2, interval: "minute" } } })(target, member));
};

@Product({ name: "x", origin: "https://api.example.com" })
//? DECORATOR_MISUSE
export default class X {
  @eventually
  late!: void;

  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
