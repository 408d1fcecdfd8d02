// an unhandled rejection with a function
import { Plan, Product } from "@svc/product";
Promise.reject((a: number) => { /* comment */ return a + 1_000; });
//? UNCAUGHT_EXCEPTION
@Product({ name: "x", origin: "https://api.example.com" })
export default class X { @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } }) free!: void; }
