// what allocations of ever greater length answer, where none is kept
import { Plan, Product, Raw } from "@svc/product";

const attempt = (run) => {
  try {
    return String(run());
  } catch (error) {
    return `${error.name}: ${error.message}`;
  }
};
const told = [];
for (let p = 10; p <= 60; p += 2) told.push([() => "x".repeat(2 ** p < 2 ** 24 ? 2 ** p : 2 ** p + 2 ** 29).length, () => "x".padEnd(2 ** p < 2 ** 20 ? 2 ** p : 2 ** p + 2 ** 29).length, () => new Array(2 ** p < 2 ** 20 ? 2 ** p : 2 ** p + 2 ** 32).length, () => new Uint8Array(2 ** p < 2 ** 22 ? 2 ** p : 2 ** p + 2 ** 53).length, () => new ArrayBuffer(2 ** p < 2 ** 22 ? 2 ** p : 2 ** p + 2 ** 53).byteLength, () => (1n << BigInt(2 ** (p < 20 ? p : 60))).toString(16).length].map(attempt).join(" | "));
//= ok
@Product({ name: "x", origin: "https://api.example.com" })
@Raw({ v: told })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
