// row 54: the order in which a stack is evaluated and applied
import { Plan, Product } from "@svc/product";

const told = [];
const witness = (name) => {
  told.push(`${name} made`);
  return () => void told.push(`${name} applied`);
};
@Product({ name: "x", origin: "https://api.example.com", displayName: told.join() })
//= ok product.displayName "a made,b made,b applied,a applied,c made,c applied"
export default class X {
  @witness("a")
  @witness("b")
  one!: void;

  @witness("c")
  two!: void;

  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
