// a failed await in one file, caught by none; siblings go on
import { Plan, Product, Raw } from "@svc/product";
import "./good";
import "./bad";

const told = ["never"];
//? UNCAUGHT_EXCEPTION
@Product({ name: "x", origin: "https://api.example.com" })
@Raw({ v: told })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
