import { Plan, Product, Raw } from "@svc/product";

let deep: object = {};
for (let level = 0; level < 100; level++) deep = { deep };

@Product({ origin: "https://api.example.com" })
@Raw({ deep: deep as never })
//           ^^^^ VALUE_NOT_PLAIN
export default class ValueTooDeep {
  @Plan("starter", { limits: { requests: { rate: 60, interval: "minute" } } })
  starter!: void;
}
