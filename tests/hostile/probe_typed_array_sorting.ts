// sorting of typed arrays with NaN, both zeros and infinities, with and without comparators
import { Plan, Product, Raw } from "@svc/product";

const quote = (value) => (typeof value === "number" && Object.is(value, -0) ? "-0" : typeof value === "bigint" ? `${value}n` : typeof value === "symbol" || typeof value === "function" ? `<${typeof value}>` : value === undefined ? "undefined" : typeof value === "number" ? String(value) : JSON.stringify(value));
const numbers = [3, NaN, -0, 0, -1, Infinity, -Infinity, 0.5, NaN, 255, 256, -128, 2 ** 31, 1e-320, 65504, 65520];
const kinds = [Int8Array, Uint8Array, Uint8ClampedArray, Int16Array, Uint16Array, Int32Array, Uint32Array, Float16Array, Float32Array, Float64Array];
const told = kinds.flatMap((Kind) => { const list = new Kind(numbers); return [list, list.toSorted(), list.toSorted((a, b) => b - a), list.toSorted(() => 0), list.toReversed()].map((made) => `${Kind.name} ${[...made].map(quote).join(" ")}`); }).concat([BigInt64Array, BigUint64Array].map((Kind) => `${Kind.name} ${new Kind([3n, -1n, 2n ** 63n, 0n, 2n ** 64n + 5n]).toSorted().join()}`));
//= ok
@Product({ name: "x", origin: "https://api.example.com" })
@Raw({ v: told })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
