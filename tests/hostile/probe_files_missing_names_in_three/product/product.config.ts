// three files that import what is not there: which one is told
import { Plan, Product, Raw } from "@svc/product";
import "./c";
import "./a";
import "./b";

const told = ["never"];
//? SYNTAX_ERROR
@Product({ name: "x", origin: "https://api.example.com" })
@Raw({ v: told })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
