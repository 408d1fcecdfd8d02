// one uncaught object whose text V8 makes without running code
import { Plan, Product } from "@svc/product";
throw { toString() { return "never run"; }, [Symbol.toStringTag]: "Tagged", constructor: class Named {}, get message() { return "never"; } };
//? UNCAUGHT_EXCEPTION
@Product({ name: "x", origin: "https://api.example.com" })
export default class X { @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } }) free!: void; }
