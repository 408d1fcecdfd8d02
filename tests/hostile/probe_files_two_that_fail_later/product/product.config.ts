// two files that both fail behind awaits of different length
import { Plan, Product, Raw } from "@svc/product";
import "./slow";
import "./quick";

const told = ["never"];
//? UNCAUGHT_EXCEPTION
@Product({ name: "x", origin: "https://api.example.com" })
@Raw({ v: told })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
