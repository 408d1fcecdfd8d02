// row 54: the symbol that the other dialect needs can't be moved, and the class shows no metadata
import { Plan, Product } from "@svc/product";

const told = [typeof Symbol.metadata, Reflect.set(Symbol, "metadata", Symbol("mine"))];
//= ok product.displayName "symbol,false"
@Product({ name: "x", origin: "https://api.example.com", displayName: told.join() })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
