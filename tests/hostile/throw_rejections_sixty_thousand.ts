// C5: promises that failed unhandled are told up to a bound
import { Plan, Product, Raw } from "@svc/product";

for (let i = 0; i < 60_000; i++) void Promise.reject(new Error("no"));
//* UNCAUGHT_EXCEPTION
@Product({ name: "x", origin: "https://api.example.com" })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
