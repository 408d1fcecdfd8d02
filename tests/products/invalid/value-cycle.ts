import { Plan, Product, Raw } from "@svc/product";

let loop: { self?: unknown } = {};
loop.self = loop;

@Product({ origin: "https://api.example.com" })
@Raw({ loop: loop as never })
//           ^^^^ VALUE_NOT_PLAIN
export default class ValueCycle {
  @Plan("starter", { limits: { requests: { rate: 60, interval: "minute" } } })
  starter!: void;
}
