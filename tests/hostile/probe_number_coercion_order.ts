// the order in which operators ask their operands
import { Plan, Product, Raw } from "@svc/product";

const log = [];
const operand = (name, value) => ({ [Symbol.toPrimitive]: (hint) => (log.push(`${name}:${hint}`), value) });
const a = () => (log.push("a"), operand("A", 6));
const b = () => (log.push("b"), operand("B", 4));
const results = [a() + b(), a() - b(), a() * b(), a() ** b(), a() % b(), a() < b(), a() > b(), a() == 6, a() << b(), `${a()}`, a() in { 6: 1 }, -a(), ++{ x: a() }.x];
const told = [...log, ...results.map(String)];
//= ok
@Product({ name: "x", origin: "https://api.example.com" })
@Raw({ v: told })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
