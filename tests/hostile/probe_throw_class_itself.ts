// an uncaught class
import { Plan, Product } from "@svc/product";
throw class Thrown { x = 1_000; static y = () => 0x10; };
//? UNCAUGHT_EXCEPTION
@Product({ name: "x", origin: "https://api.example.com" })
export default class X { @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } }) free!: void; }
