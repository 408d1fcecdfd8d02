// texts of a thousand digits as numbers
import { Plan, Product, Raw } from "@svc/product";

const told = [];
for (let n = 1; n <= 60; n++) told.push(Number(`0.${"123456789".repeat(n * 2)}`), Number(`${"987654321".repeat(n)}e-${n * 9}`), Number(`0.${"0".repeat(n * 5)}1`), Number(`1${"0".repeat(n * 5)}`));
for (let i = 0; i < told.length; i++) told[i] = String(told[i]);
//= ok
@Product({ name: "x", origin: "https://api.example.com" })
@Raw({ v: told })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
