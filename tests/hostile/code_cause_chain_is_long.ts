// row 64: ten thousand causes
import { Plan, Product } from "@svc/product";

let error = new Error("first");
for (let i = 0; i < 10_000; i++) error = new Error(`${i}`, { cause: error });
throw error;

@Product({ name: "x", origin: "https://api.example.com" })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
//? UNCAUGHT_EXCEPTION
