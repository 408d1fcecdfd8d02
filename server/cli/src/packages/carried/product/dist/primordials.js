// The built-ins this package works with, captured before any author code runs. Later code calls these and nothing
// else, so an author who patches a prototype changes nothing here.
// Must not know: decorators, registries, options; anything about products.
//
// Two habits keep the rest safe: text is built by joining strings (never by filling arrays, which a setter on
// Array.prototype could see), and whether a descriptor holds a value is asked with `hasOwn`, since a plain read of
// `descriptor.get` would look at Object.prototype.
/** Turns a method into a function of its receiver: `uncurry(Map.prototype.get)(map, key)`. */
const uncurry = Function.prototype.bind.bind(Function.prototype.call);
export const ownKeys = Reflect.ownKeys;
export const ownDescriptor = Reflect.getOwnPropertyDescriptor;
export const prototypeOf = Reflect.getPrototypeOf;
export const hasOwn = Object.hasOwn;
export const isArray = Array.isArray;
export const setPrototype = Reflect.setPrototypeOf;
export const defineOwn = Reflect.defineProperty;
export const objectPrototype = Object.prototype;
export const arrayPrototype = Array.prototype;
/** A string as JSON text. Given a string, `JSON.stringify` reads no property and calls no `toJSON`. */
export const quote = JSON.stringify;
/** JSON text as fresh plain data, all of it own data properties. */
export const parse = JSON.parse;
export const isWellFormed = uncurry(String.prototype.isWellFormed);
export const toWellFormed = uncurry(String.prototype.toWellFormed);
/** The substring from `start`. */
export const sliceFrom = uncurry(String.prototype.slice);
const exec = uncurry(RegExp.prototype.exec);
/** Whether `pattern` (without flags `g` and `y`) is found in `text`. */
export const matches = (pattern, text) => exec(pattern, text) !== null;
const weakGet = uncurry(WeakMap.prototype.get);
const weakSet = uncurry(WeakMap.prototype.set);
export function sealedWeakMap() {
    const map = new WeakMap();
    return {
        get: (key) => weakGet(map, key),
        set: (key, value) => void weakSet(map, key, value),
    };
}
/** The value of an own data property; `undefined` where there is none, where it is an accessor, or where a Proxy objects. */
export function ownData(object, key) {
    try {
        const descriptor = ownDescriptor(object, key);
        return descriptor !== undefined && hasOwn(descriptor, "value") ? descriptor.value : undefined;
    }
    catch {
        return undefined;
    }
}
const never = () => false;
function brand(probe) {
    if (typeof probe !== "function")
        return never;
    const call = uncurry(probe);
    return (value) => {
        try {
            call(value);
            return true;
        }
        catch {
            return false;
        }
    };
}
const getter = (object, key) => Reflect.getOwnPropertyDescriptor(object, key)?.get;
export const isDate = typeof Date === "function" ? brand(Date.prototype.valueOf) : never;
export const isRegExp = typeof RegExp === "function" ? brand(getter(RegExp.prototype, "source")) : never;
export const isMap = typeof Map === "function" ? brand(getter(Map.prototype, "size")) : never;
export const isSet = typeof Set === "function" ? brand(getter(Set.prototype, "size")) : never;
export const isArrayBuffer = typeof ArrayBuffer === "function" ? brand(getter(ArrayBuffer.prototype, "byteLength")) : never;
const boxedNumber = brand(Number.prototype.valueOf);
const boxedString = brand(String.prototype.valueOf);
const boxedBoolean = brand(Boolean.prototype.valueOf);
const boxedSymbol = brand(Symbol.prototype.valueOf);
const boxedBigInt = typeof BigInt === "function" ? brand(BigInt.prototype.valueOf) : never;
export const isBoxed = (value) => boxedNumber(value) || boxedString(value) || boxedBoolean(value) || boxedSymbol(value) || boxedBigInt(value);
const typedArrayTag = typeof Uint8Array === "function"
    ? getter(Object.getPrototypeOf(Uint8Array.prototype), Symbol.toStringTag)
    : undefined;
const readTypedArrayTag = typedArrayTag === undefined ? () => undefined : uncurry(typedArrayTag);
export const isTypedArray = (value) => readTypedArrayTag(value) !== undefined;
/** Prototype links looked at before giving up; a Proxy can make a chain endless. */
const PROTOTYPE_LINKS_MAX = 64;
function descendsFrom(prototype) {
    if (prototype === undefined)
        return never;
    return (value) => {
        let link = prototypeOf(value);
        for (let i = 0; i < PROTOTYPE_LINKS_MAX && link !== null; i++) {
            if (link === prototype)
                return true;
            link = prototypeOf(link);
        }
        return false;
    };
}
// Neither has a slot that can be probed without running author code, so these two go by prototype.
export const isError = descendsFrom(Error.prototype);
export const isPromise = descendsFrom(typeof Promise === "function" ? Promise.prototype : undefined);
// TypeScript and esbuild hand decorators a metadata object only where `Symbol.metadata` exists.
if (Symbol.metadata === undefined) {
    Reflect.defineProperty(Symbol, "metadata", {
        __proto__: null,
        value: Symbol.for("Symbol.metadata"),
        writable: false,
        enumerable: false,
        configurable: false,
    });
}
