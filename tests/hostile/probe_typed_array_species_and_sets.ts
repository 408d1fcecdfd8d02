// species, set with overlap, from and of, of typed arrays
import { Plan, Product, Raw } from "@svc/product";

const attempt = (run) => {
  try {
    return String(run());
  } catch (error) {
    return `${error.name}: ${error.message}`;
  }
};
class Mine extends Uint16Array { static get [Symbol.species]() { return Uint8Array; } }
const mine = Mine.of(1, 300, 65535);
const overlapped = new Uint8Array([1, 2, 3, 4, 5, 6]); overlapped.set(overlapped.subarray(0, 4), 2);
const wide = new Uint8Array([1, 2, 3, 4]); new Uint16Array(wide.buffer).set(wide.subarray(1, 3));
const told = [mine.map((x) => x).constructor.name, String(mine.map((x) => x)), String(mine.slice(1)), mine.subarray(1).constructor.name, attempt(() => mine.filter(() => true)), String(overlapped), String(wide), attempt(() => new Uint8Array(2).set([1, 2, 3])), attempt(() => new Uint8Array(2).set([1], -1)), attempt(() => new Uint8Array(2).set({ length: 1, 0: "7" })), attempt(() => new Uint8Array([1n])), attempt(() => new BigInt64Array([1])), attempt(() => new Uint8Array(new ArrayBuffer(3), 1, 3)), attempt(() => new Uint16Array(new ArrayBuffer(3))), attempt(() => new Uint16Array(new ArrayBuffer(4), 1)), attempt(() => new Uint8Array(-1)), attempt(() => new Uint8Array(2 ** 53)), attempt(() => Uint8Array(2)), attempt(() => Object.getPrototypeOf(Uint8Array)()), attempt(() => Uint8Array.from("123", (x) => x * 2)), attempt(() => Uint8Array.from({ length: 2, 0: 5 })), attempt(() => Reflect.ownKeys(new Uint8Array(2)).join()), attempt(() => { new Uint8Array(2)[5] = 1; return "silent"; }), attempt(() => Object.defineProperty(new Uint8Array(2), 5, { value: 1 })), attempt(() => { const l = new Uint8Array(2); l["-0"] = 1; l["1.5"] = 2; l.x = 3; return JSON.stringify(l); }), attempt(() => Object.freeze(new Uint8Array(1)))];
//= ok
@Product({ name: "x", origin: "https://api.example.com" })
@Raw({ v: told })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
