// every method of typed arrays on each kind, and their mistakes
import { Plan, Product, Raw } from "@svc/product";

const attempt = (run) => {
  try {
    return String(run());
  } catch (error) {
    return `${error.name}: ${error.message}`;
  }
};
const kinds = [Uint8Array, Int16Array, Float32Array, Float64Array, BigInt64Array];
const names = Reflect.ownKeys(Object.getPrototypeOf(Uint8Array.prototype)).filter((key) => typeof key === "string" && !["constructor", "toLocaleString", "buffer", "byteLength", "byteOffset", "length"].includes(key)).sort();
const told = names.flatMap((name) => kinds.map((Kind) => `${name} ${Kind.name} ${attempt(() => { const list = Kind.from(Kind === BigInt64Array ? [3n, 1n, 2n] : [3, 1, 2]); const made = list[name](name === "with" || name === "set" ? [1] : name === "subarray" || name === "slice" || name === "at" ? 1 : (x) => x, Kind === BigInt64Array ? 1n : 1); return typeof made === "object" && made && "next" in made ? [...made].join() : `${made} ${list}`; })}`));
//= ok
@Product({ name: "x", origin: "https://api.example.com" })
@Raw({ v: told })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
