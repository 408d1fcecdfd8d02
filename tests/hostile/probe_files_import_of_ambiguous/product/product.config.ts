// an import of a name that two files give
import { Plan, Product, Raw } from "@svc/product";
import { same } from "./both";

const told = [same];
//? SYNTAX_ERROR
@Product({ name: "x", origin: "https://api.example.com" })
@Raw({ v: told })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
