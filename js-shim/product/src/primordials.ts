// The built-ins this package works with, captured before any author code runs. Later code calls these and nothing
// else, so an author who patches a prototype changes nothing here.
// Must not know: decorators, registries, options; anything about products.
//
// Two habits keep the rest safe: text is built by joining strings (never by filling arrays, which a setter on
// Array.prototype could see), and whether a descriptor holds a value is asked with `hasOwn`, since a plain read of
// `descriptor.get` would look at Object.prototype.

/** Turns a method into a function of its receiver: `uncurry(Map.prototype.get)(map, key)`. */
const uncurry = Function.prototype.bind.bind(Function.prototype.call) as <F>(
  method: F,
) => F extends (...args: infer A) => infer R ? (self: unknown, ...args: A) => R : never;

export const ownKeys: (object: object) => (string | symbol)[] = Reflect.ownKeys;
export const ownDescriptor: (object: object, key: PropertyKey) => PropertyDescriptor | undefined =
  Reflect.getOwnPropertyDescriptor;
export const prototypeOf: (object: object) => object | null = Reflect.getPrototypeOf;
export const hasOwn: (object: object, key: PropertyKey) => boolean = Object.hasOwn;
export const isArray: (value: unknown) => value is unknown[] = Array.isArray;
export const setPrototype: (object: object, prototype: object | null) => boolean = Reflect.setPrototypeOf;
export const defineOwn: (object: object, key: PropertyKey, descriptor: PropertyDescriptor) => boolean =
  Reflect.defineProperty;

export const objectPrototype: object = Object.prototype;
export const arrayPrototype: object = Array.prototype;

/** A string as JSON text. Given a string, `JSON.stringify` reads no property and calls no `toJSON`. */
export const quote: (text: string) => string = JSON.stringify;
/** JSON text as fresh plain data, all of it own data properties. */
export const parse: (text: string) => unknown = JSON.parse;

export const isWellFormed: (text: string) => boolean = uncurry(String.prototype.isWellFormed);
export const toWellFormed: (text: string) => string = uncurry(String.prototype.toWellFormed);
/** The substring from `start`. */
export const sliceFrom: (text: string, start: number) => string = uncurry(String.prototype.slice);

const exec = uncurry(RegExp.prototype.exec);
/** Whether `pattern` (without flags `g` and `y`) is found in `text`. */
export const matches = (pattern: RegExp, text: string): boolean => exec(pattern, text) !== null;

const weakGet = uncurry(WeakMap.prototype.get);
const weakSet = uncurry(WeakMap.prototype.set);

/** A WeakMap whose reads and writes can't be patched. */
export interface SealedWeakMap<V> {
  readonly get: (key: object) => V | undefined;
  readonly set: (key: object, value: V) => void;
}

export function sealedWeakMap<V>(): SealedWeakMap<V> {
  const map = new WeakMap<object, V>();
  return {
    get: (key) => weakGet(map, key) as V | undefined,
    set: (key, value) => void weakSet(map, key, value),
  };
}

/** The value of an own data property; `undefined` where there is none, where it is an accessor, or where a Proxy objects. */
export function ownData(object: object, key: PropertyKey): unknown {
  try {
    const descriptor = ownDescriptor(object, key);
    return descriptor !== undefined && hasOwn(descriptor, "value") ? descriptor.value : undefined;
  } catch {
    return undefined;
  }
}

/** Tells whether a value has an internal slot, by calling a built-in that throws without it and reads nothing else. */
type Brand = (value: object) => boolean;

const never: Brand = () => false;

function brand(probe: unknown): Brand {
  if (typeof probe !== "function") return never;
  const call = uncurry(probe as (this: unknown) => unknown);
  return (value) => {
    try {
      call(value);
      return true;
    } catch {
      return false;
    }
  };
}

const getter = (object: object, key: PropertyKey): unknown => Reflect.getOwnPropertyDescriptor(object, key)?.get;

export const isDate: Brand = typeof Date === "function" ? brand(Date.prototype.valueOf) : never;
export const isRegExp: Brand = typeof RegExp === "function" ? brand(getter(RegExp.prototype, "source")) : never;
export const isMap: Brand = typeof Map === "function" ? brand(getter(Map.prototype, "size")) : never;
export const isSet: Brand = typeof Set === "function" ? brand(getter(Set.prototype, "size")) : never;
export const isArrayBuffer: Brand =
  typeof ArrayBuffer === "function" ? brand(getter(ArrayBuffer.prototype, "byteLength")) : never;

const boxedNumber = brand(Number.prototype.valueOf);
const boxedString = brand(String.prototype.valueOf);
const boxedBoolean = brand(Boolean.prototype.valueOf);
const boxedSymbol = brand(Symbol.prototype.valueOf);
const boxedBigInt = typeof BigInt === "function" ? brand(BigInt.prototype.valueOf) : never;
export const isBoxed: Brand = (value) =>
  boxedNumber(value) || boxedString(value) || boxedBoolean(value) || boxedSymbol(value) || boxedBigInt(value);

const typedArrayTag =
  typeof Uint8Array === "function"
    ? (getter(Object.getPrototypeOf(Uint8Array.prototype) as object, Symbol.toStringTag) as () => unknown)
    : undefined;
const readTypedArrayTag = typedArrayTag === undefined ? () => undefined : uncurry(typedArrayTag);
export const isTypedArray: Brand = (value) => readTypedArrayTag(value) !== undefined;

/** Prototype links looked at before giving up; a Proxy can make a chain endless. */
const PROTOTYPE_LINKS_MAX = 64;

function descendsFrom(prototype: object | undefined): Brand {
  if (prototype === undefined) return never;
  return (value) => {
    let link = prototypeOf(value);
    for (let i = 0; i < PROTOTYPE_LINKS_MAX && link !== null; i++) {
      if (link === prototype) return true;
      link = prototypeOf(link);
    }
    return false;
  };
}

// Neither has a slot that can be probed without running author code, so these two go by prototype.
export const isError: Brand = descendsFrom(Error.prototype);
export const isPromise: Brand = descendsFrom(typeof Promise === "function" ? Promise.prototype : undefined);

// TypeScript and esbuild hand decorators a metadata object only where `Symbol.metadata` exists.
if ((Symbol as { metadata?: symbol }).metadata === undefined) {
  Reflect.defineProperty(Symbol, "metadata", {
    __proto__: null,
    value: Symbol.for("Symbol.metadata"),
    writable: false,
    enumerable: false,
    configurable: false,
  } as PropertyDescriptor);
}
