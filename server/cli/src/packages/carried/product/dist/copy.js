// Copies what an author passed to a decorator into JSON text: a sealed copy by nature, which nothing the author does
// later can reach. The encoding (`$odd`, `$`-escaped keys) is docs/registry.md, "Values".
// Must not know: which decorator it copies for, what any option means, what a product is.
import { arrayPrototype, hasOwn, isArray, isArrayBuffer, isBoxed, isDate, isError, isMap, isPromise, isRegExp, isSet, isTypedArray, isWellFormed, objectPrototype, ownDescriptor, ownKeys, prototypeOf, quote, } from "./primordials.js";
/** Levels of objects and arrays copied; an argument itself is level 1. */
export const DEPTH_MAX = 64;
/** Values copied in one decorator call: arguments, elements and property values. */
export const VALUES_MAX = 200_000;
const odd = (kind) => `{"$odd":"${kind}"}`;
/** The arguments of one decorator call as the text of a JSON array; trailing `undefined` is left out. */
export function copyArguments(args) {
    let count = args.length;
    while (count > 0 && args[count - 1] === undefined)
        count--;
    if (count > VALUES_MAX)
        return `[${odd("too large")}]`;
    const allowance = { left: VALUES_MAX - count };
    let text = "";
    for (let i = 0; i < count; i++)
        text += (i === 0 ? "" : ",") + copyValue(args[i], allowance, undefined);
    return `[${text}]`;
}
function copyValue(value, allowance, outer) {
    switch (typeof value) {
        case "string":
            return isWellFormed(value) ? quote(value) : odd("lone surrogate");
        case "boolean":
            return value ? "true" : "false";
        case "number":
            return copyNumber(value);
        case "object":
            return value === null ? "null" : copyObject(value, allowance, outer);
        default:
            return odd(typeof value);
    }
}
function copyNumber(value) {
    if (value !== value)
        return odd("NaN");
    if (value === 1 / 0)
        return odd("Infinity");
    if (value === -1 / 0)
        return odd("-Infinity");
    if (value === 0 && 1 / value < 0)
        return odd("-0");
    return `${value}`;
}
function copyObject(object, allowance, outer) {
    for (let a = outer; a !== undefined; a = a.outer)
        if (a.object === object)
            return odd("cycle");
    const level = outer === undefined ? 1 : outer.level + 1;
    if (level > DEPTH_MAX)
        return odd("too deep");
    try {
        const here = { object, level, outer };
        if (isArray(object))
            return copyArray(object, allowance, here);
        const prototype = prototypeOf(object);
        if (prototype === objectPrototype || prototype === null)
            return copyPlain(object, allowance, here);
        return odd(nameInstance(object));
    }
    catch {
        return odd("threw");
    }
}
function copyArray(array, allowance, here) {
    // A Proxy may answer anything for the length.
    const length = ownDescriptor(array, "length")?.value;
    if (typeof length !== "number" || !(length >= 0 && length <= allowance.left))
        return odd("too large");
    allowance.left -= length;
    const keyCount = ownKeys(array).length;
    if (keyCount > length + 1)
        return odd("array with properties");
    if (keyCount < length + 1)
        return odd("sparse array");
    if (prototypeOf(array) !== arrayPrototype)
        return odd("class instance");
    let text = "";
    for (let i = 0; i < length; i++) {
        const descriptor = ownDescriptor(array, `${i}`);
        if (descriptor === undefined || descriptor.enumerable !== true)
            return odd("sparse array");
        text += (i === 0 ? "" : ",") + copyProperty(descriptor, allowance, here);
    }
    return `[${text}]`;
}
function copyPlain(object, allowance, here) {
    const keys = ownKeys(object);
    const count = keys.length;
    if (count > allowance.left)
        return odd("too large");
    allowance.left -= count;
    let text = "";
    for (let i = 0; i < count; i++) {
        const key = keys[i];
        const descriptor = ownDescriptor(object, key);
        if (descriptor === undefined || descriptor.enumerable !== true)
            continue;
        if (typeof key === "symbol")
            return odd("symbol key");
        if (!isWellFormed(key))
            return odd("lone surrogate key");
        if (hasOwn(descriptor, "value") && descriptor.value === undefined)
            continue;
        const name = quote(key[0] === "$" ? `$${key}` : key);
        text += `${text === "" ? "" : ","}${name}:${copyProperty(descriptor, allowance, here)}`;
    }
    return `{${text}}`;
}
function copyProperty(descriptor, allowance, here) {
    return hasOwn(descriptor, "value") ? copyValue(descriptor.value, allowance, here) : odd("accessor");
}
function nameInstance(object) {
    if (isDate(object))
        return "Date";
    if (isRegExp(object))
        return "RegExp";
    if (isMap(object))
        return "Map";
    if (isSet(object))
        return "Set";
    if (isTypedArray(object))
        return "typed array";
    if (isArrayBuffer(object))
        return "ArrayBuffer";
    if (isBoxed(object))
        return "boxed primitive";
    if (isError(object))
        return "Error";
    if (isPromise(object))
        return "Promise";
    return "class instance";
}
