// two files that both throw: the first of the imports is told
import { Plan, Product, Raw } from "@svc/product";
import "./b";
import "./a";

const told = ["never"];
//? UNCAUGHT_EXCEPTION
@Product({ name: "x", origin: "https://api.example.com" })
@Raw({ v: told })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
