// what a replacer is called with, and the order
import { Plan, Product, Raw } from "@svc/product";

const log = [];
const witness = (...args) => (log.push(args.map((arg) => (typeof arg === "object" && arg ? JSON.stringify(arg) : String(arg))).join("/")), log.length);
const results = ["aXbX".replace(/X/g, witness), "aXbX".replaceAll("X", witness), "2024-05".replace(/(?<y>\d+)-(?<m>\d+)(?<d>-\d+)?/u, witness), "\u{1f600}".replace(/(?:)/gu, witness), "\u{1f600}".replace(/(?:)/g, witness), "".replace("", witness), "abc".replace(/b|(q)/, witness)];
const told = [...log, ...results.map((result) => JSON.stringify(result))];
//= ok
@Product({ name: "x", origin: "https://api.example.com" })
@Raw({ v: told })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
