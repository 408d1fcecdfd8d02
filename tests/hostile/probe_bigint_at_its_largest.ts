// the largest integers, and what is past them, without making one
import { Plan, Product, Raw } from "@svc/product";

const told = [];
const step = (name, run) => { try { const v = run(); told.push(`${name} ${typeof v} ${String(v).slice(0, 30)}`); } catch (e) { told.push(`${name} ${e.name}: ${e.message}`); } };
step("shift", () => 1n << (1n << 64n));
step("shift of nothing", () => 0n << (1n << 64n));
step("shift away", () => 5n >> (1n << 70n));
step("shift away below", () => -5n >> (1n << 70n));
step("power", () => 3n ** (1n << 40n));
step("power of one", () => (-1n) ** (1n << 65n));
step("power below", () => 2n ** -1n);
step("as bits", () => BigInt.asUintN(2 ** 53 - 1, 5n));
step("as bits below", () => BigInt.asUintN(2 ** 53 - 1, -5n));
step("as bits past", () => BigInt.asIntN(2 ** 53, 5n));
step("of a fraction", () => BigInt(0.5));
step("divided", () => (1n << 4000n) / 0n);
step("digits", () => ((1n << 40000n) - 1n).toString(36).length);
step("compare", () => [(1n << 1100n) > Number.MAX_VALUE, -(1n << 1100n) < -Infinity, (1n << 1100n) == Infinity, 10n ** 23n == 1e23].join());
step("number", () => [(1n << 1023n), (1n << 1024n) - 1n, (1n << 1024n) - (1n << 970n), (1n << 1024n) - (1n << 970n) - 1n].map(Number).join());
//= ok
@Product({ name: "x", origin: "https://api.example.com" })
@Raw({ v: told })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
