// a heritage that is no constructor, uncaught
import { Plan, Product } from "@svc/product";
const base: any = () => 1_000;
class X2 extends base {}
//? UNCAUGHT_EXCEPTION
@Product({ name: "x", origin: "https://api.example.com" })
export default class X { @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } }) free!: void; }
