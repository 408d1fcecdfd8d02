// lists nested hundreds deep through join, flat, stringify and spread
import { Plan, Product, Raw } from "@svc/product";

let list: any = [1]; for (let i = 0; i < 500; i++) list = [list]; let object: any = { a: 1 }; for (let i = 0; i < 500; i++) object = { a: object };
const told = [String(list), String(list.flat(Infinity)), String(JSON.stringify(list).length), String(JSON.stringify(object).length), String(JSON.stringify(JSON.parse(JSON.stringify(object))) === JSON.stringify(object)), String(`${[list, list]}`.length)];
//= ok
@Product({ name: "x", origin: "https://api.example.com" })
@Raw({ v: told })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
