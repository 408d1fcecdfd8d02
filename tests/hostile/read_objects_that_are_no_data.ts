// row 52: every kind of object is refused by its name
import { Plan, Product, Raw } from "@svc/product";

@Product({ name: "x", origin: "https://api.example.com" })
@Raw({
  a: new Map([["k", 1]]),
//   ^^^^^^^^^^^^^^^^^^^ VALUE_NOT_PLAIN
  b: new Set([1]),
//   ^^^^^^^^^^^^ VALUE_NOT_PLAIN
  c: new Date(0),
//   ^^^^^^^^^^^ VALUE_NOT_PLAIN
  d: new Uint8Array(2),
//   ^^^^^^^^^^^^^^^^^ VALUE_NOT_PLAIN
  e: new ArrayBuffer(2),
//   ^^^^^^^^^^^^^^^^^^ VALUE_NOT_PLAIN
  f: new DataView(new ArrayBuffer(2)),
//   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ VALUE_NOT_PLAIN
  g: new (class { #secret = 1; shown = 2; })(),
//   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ VALUE_NOT_PLAIN
  h: /x/,
//   ^^^ VALUE_NOT_PLAIN
  i: new Error("x"),
//   ^^^^^^^^^^^^^^ VALUE_NOT_PLAIN
  j: Promise.resolve(1),
//   ^^^^^^^^^^^^^^^^^^ VALUE_NOT_PLAIN
  k: new String("s"),
//   ^^^^^^^^^^^^^^^ VALUE_NOT_PLAIN
  l: Object(1n),
//   ^^^^^^^^^^ VALUE_NOT_PLAIN
  m: () => 1,
//   ^^^^^^^ VALUE_NOT_PLAIN
  n: class {},
//   ^^^^^^^^ VALUE_NOT_PLAIN
  o: Symbol("s"),
//   ^^^^^^^^^^^ VALUE_NOT_PLAIN
  p: 1n,
//   ^^ VALUE_NOT_PLAIN
  q: [undefined],
//    ^^^^^^^^^ VALUE_NOT_PLAIN
  r: NaN,
//   ^^^ VALUE_NOT_PLAIN
  s: new WeakMap(),
//   ^^^^^^^^^^^^^ VALUE_NOT_PLAIN
  t: Object.create({ inherited: 1 }),
//   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ VALUE_NOT_PLAIN
  u: /x/.exec("x"),
//   ^^^^^^^^^^^^^ VALUE_NOT_PLAIN
  v: [1][Symbol.iterator](),
//   ^^^^^^^^^^^^^^^^^^^^^^ VALUE_NOT_PLAIN
})
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
