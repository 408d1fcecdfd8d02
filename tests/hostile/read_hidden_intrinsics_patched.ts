// row 44: intrinsics that have no name: each is asked whether it takes a new property
import { Plan, Product } from "@svc/product";

const prototypeOf = Object.getPrototypeOf;
const hidden = {
  generator: prototypeOf(function* () {}),
  generatorPrototype: prototypeOf(function* () {}).prototype,
  asyncFunction: prototypeOf(async () => {}),
  asyncGenerator: prototypeOf(async function* () {}),
  asyncGeneratorPrototype: prototypeOf(async function* () {}).prototype,
  iterator: prototypeOf(prototypeOf([][Symbol.iterator]())),
  asyncIterator: prototypeOf(prototypeOf(async function* () {}).prototype),
  arrayIterator: prototypeOf([][Symbol.iterator]()),
  mapIterator: prototypeOf(new Map().keys()),
  setIterator: prototypeOf(new Set().keys()),
  stringIterator: prototypeOf(""[Symbol.iterator]()),
  regExpIterator: prototypeOf("".matchAll(/x/g)),
  typedArray: prototypeOf(Uint8Array),
  typedArrayPrototype: prototypeOf(Uint8Array.prototype),
  throwTypeError: Object.getOwnPropertyDescriptor(Function.prototype, "caller")?.get ?? Math,
  iteratorHelper: prototypeOf([].values().map((value) => value)),
  wrapForValidIterator: prototypeOf(Iterator.from({ next: () => ({ done: true }) })),
};
const open = Object.keys(hidden).filter((name) => Reflect.isExtensible(hidden[name]) || Reflect.set(hidden[name], "polluted", 1));
//= ok product.displayName "none"
@Product({ name: "x", origin: "https://api.example.com", displayName: open.join() || "none" })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
