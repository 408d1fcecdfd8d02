// three files that import what is not there: each is told
import { Plan, Product, Raw } from "@svc/product";
import "./c";
import "./a";
import "./b";

const told = ["never"];
//~ 1:10-1:15 SYNTAX_ERROR
//~ 1:10-1:15 SYNTAX_ERROR
//~ 1:10-1:15 SYNTAX_ERROR
@Product({ name: "x", origin: "https://api.example.com" })
@Raw({ v: told })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
