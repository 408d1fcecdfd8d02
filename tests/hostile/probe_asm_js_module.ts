// a module of asm.js: one engine compiles it apart, another reads it as any function
import { Plan, Product, Raw } from "@svc/product";

function Module(stdlib, foreign, heap) {
  "use asm";
  const fround = stdlib.Math.fround; const imul = stdlib.Math.imul; const sqrt = stdlib.Math.sqrt; const pow = stdlib.Math.pow;
  const words = new stdlib.Int32Array(heap);
  function sum(a, b) { a = a | 0; b = b | 0; return (a + imul(b, 3)) | 0; }
  function root(x) { x = +x; return +sqrt(x * 1.1); }
  function power(x) { x = +x; return +pow(x, 22.5); }
  function short(x) { x = fround(x); return fround(x * fround(1.1)); }
  function store(at, value) { at = at | 0; value = value | 0; words[at >> 2] = value; return words[at >> 2] | 0; }
  function quotient(a, b) { a = a | 0; b = b | 0; return ((a >>> 0) / (b >>> 0)) | 0; }
  return { sum: sum, root: root, power: power, short: short, store: store, quotient: quotient };
}
const made = Module(globalThis, {}, new ArrayBuffer(65536));
const told = [made.sum(2 ** 31 - 1, 5), made.root(1.65), made.power(1.65), made.short(1 / 3), made.store(8, 77), made.store(-4, 5), made.quotient(-1, 3), made.quotient(1, 0), made.sum("7", { valueOf: () => 9 }), Object.keys(made).join(), typeof Module.prototype].map(String);
//= ok
@Product({ name: "x", origin: "https://api.example.com" })
@Raw({ v: told })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
