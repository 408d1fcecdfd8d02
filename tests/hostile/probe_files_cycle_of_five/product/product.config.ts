// five files in a ring with functions, classes and constants that are read too early
import { Plan, Product, Raw } from "@svc/product";
import { log } from "./log";
import { a } from "./a";
import "./e";

const told = [...log, String(a())];
//= ok
@Product({ name: "x", origin: "https://api.example.com" })
@Raw({ v: told })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
