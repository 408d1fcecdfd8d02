// row 44: frozen prototypes must not forbid what authors do every day: to hide an inherited method by assignment
import { Plan, Product } from "@svc/product";

const named = {};
named.toString = () => "mine";
class Refusal extends Error {
  constructor(message) {
    super(message);
    this.name = "Refusal";
  }
}
const told = [String(named), {}.toString(), String(new Refusal("x")), String(new Error("y")), Object.keys(named).join()];
//= ok product.displayName "mine,[object Object],Refusal: x,Error: y,toString"
@Product({ name: "x", origin: "https://api.example.com", displayName: told.join() })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
