// row 92: a private name that no class declares
import { Plan, Product } from "@svc/product";

const told = (object) => object.#secret;

@Product({ name: "x", origin: "https://api.example.com", displayName: String(told) })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
//? SYNTAX_ERROR
