// thirty promises that fail unhandled in mixed turns: twenty are told, in order
import { Plan, Product } from "@svc/product";
for (let i = 0; i < 30; i++) { let p: Promise<any> = Promise.resolve(); for (let k = 0; k < (i * 7) % 5; k++) p = p.then(() => {}); p.then(() => { throw new Error(`number ${i}`); }); }
@Product({ name: "x", origin: "https://api.example.com" })
export default class X { @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } }) free!: void; }
//* UNCAUGHT_EXCEPTION
