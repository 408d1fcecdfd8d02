// row 2: every way to the clock, each caught; what was caught is all there is
import { Plan, Product } from "@svc/product";

const attempts = [() => Date(), () => new Date(), () => Date.now(), () => new Date(0).constructor.now(), () => Reflect.construct(Date, [])];
const told = attempts.map((attempt) => {
  try {
    return String(attempt());
  } catch {
    return "caught";
  }
});
//= ok product.displayName "caught,caught,caught,caught,caught"
@Product({ name: "x", origin: "https://api.example.com", displayName: told.join() })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
