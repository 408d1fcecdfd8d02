// row 92: a name that modules keep for themselves
import { Plan, Product } from "@svc/product";

const await = 1;

@Product({ name: "x", origin: "https://api.example.com", displayName: String(await) })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
//* SYNTAX_ERROR
