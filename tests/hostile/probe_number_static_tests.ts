// isInteger, isSafeInteger, EPSILON and their neighbours
import { Plan, Product, Raw } from "@svc/product";

const values = [0, -0, 1.5, 2 ** 53, 2 ** 53 - 1, -(2 ** 53), NaN, Infinity, "1", 1n, null, [1], 5e-324, 1e300];
const told = [Number.EPSILON, Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER, Number.MAX_VALUE, Number.MIN_VALUE].map(String).concat(values.map((value) => [Number.isInteger(value), Number.isSafeInteger(value), Number.isFinite(value), Number.isNaN(value), typeof value === "bigint" ? "-" : isFinite(value), typeof value === "bigint" ? "-" : isNaN(value)].join(" ")));
//= ok
@Product({ name: "x", origin: "https://api.example.com" })
@Raw({ v: told })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
