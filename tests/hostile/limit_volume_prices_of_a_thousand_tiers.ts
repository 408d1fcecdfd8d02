// row 95: nine volume prices of 1,000 tiers each, none of which falls
import { Meter, Plan, Product, Raw } from "@svc/product";

const tiers = Array.from({ length: 1000 }, (_, i) => (i < 999 ? { upTo: i + 1, micros: 7, flatMicros: i * 10_000 } : { upTo: null, micros: 7, flatMicros: 9_990_000 }));
const price = { tiers, kind: "volume" };
const declare: any = (target, name) => {
  for (let i = 0; i < 9; i++) Meter(`m${i}`)(target, name);
  Plan("many", { limits: { m0: { rate: 1, interval: "day" } }, meter: Object.fromEntries(Array.from({ length: 9 }, (_, i) => [`m${i}`, price])) } as any)(target, name);
};
const told = 1;
//= ok
@Product({ name: "x", origin: "https://api.example.com" })
@Raw({ v: told })
export default class X {
  @declare
  many!: void;
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
