// what each kind makes of numbers out of its range
import { Plan, Product, Raw } from "@svc/product";

const numbers = [-1, 127.5, 128, 255.5, 256, -0.5, 0.5, 1.5, 2.5, 65535.9, 2 ** 31, 2 ** 32 + 3, -(2 ** 31) - 1, 2 ** 53, 1e20, 1e300, NaN, Infinity, -Infinity, 1e-8, 6e-8, 65519, 65520, 3.4028235677973366e38, 3.4028235677973362e38, "12", null, undefined, true];
const told = [Int8Array, Uint8Array, Uint8ClampedArray, Int16Array, Uint16Array, Int32Array, Uint32Array, Float16Array, Float32Array, Float64Array].map((Kind) => `${Kind.name} ${[...Kind.from(numbers)].join(" ")}`);
//= ok
@Product({ name: "x", origin: "https://api.example.com" })
@Raw({ v: told })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
