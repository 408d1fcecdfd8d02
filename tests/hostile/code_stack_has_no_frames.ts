// row 60: the stack's text tells no file, no line and no function
import { Plan, Product } from "@svc/product";

function telltale() {
  return String(new Error("x").stack);
}
const told = ["telltale", "product", "config", ":", "at ", "file", "/"].filter((part) => telltale().replace("Error: x", "").includes(part));
//= ok product.displayName "none"
@Product({ name: "x", origin: "https://api.example.com", displayName: told.join() || "none" })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
