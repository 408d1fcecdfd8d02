// top-level awaits in a diamond with a cycle, and the order they end in
import { Plan, Product, Raw } from "@svc/product";
import { log } from "./log";
import { left } from "./left";
import { right } from "./right";

log.push("entry"); await null; log.push("entry awaited");
const told = [...log, left, right];
//= ok
@Product({ name: "x", origin: "https://api.example.com" })
@Raw({ v: told })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
