export declare const ownKeys: (object: object) => (string | symbol)[];
export declare const ownDescriptor: (object: object, key: PropertyKey) => PropertyDescriptor | undefined;
export declare const prototypeOf: (object: object) => object | null;
export declare const hasOwn: (object: object, key: PropertyKey) => boolean;
export declare const isArray: (value: unknown) => value is unknown[];
export declare const setPrototype: (object: object, prototype: object | null) => boolean;
export declare const defineOwn: (object: object, key: PropertyKey, descriptor: PropertyDescriptor) => boolean;
export declare const objectPrototype: object;
export declare const arrayPrototype: object;
/** A string as JSON text. Given a string, `JSON.stringify` reads no property and calls no `toJSON`. */
export declare const quote: (text: string) => string;
/** JSON text as fresh plain data, all of it own data properties. */
export declare const parse: (text: string) => unknown;
export declare const isWellFormed: (text: string) => boolean;
export declare const toWellFormed: (text: string) => string;
/** The substring from `start`. */
export declare const sliceFrom: (text: string, start: number) => string;
/** Whether `pattern` (without flags `g` and `y`) is found in `text`. */
export declare const matches: (pattern: RegExp, text: string) => boolean;
/** A WeakMap whose reads and writes can't be patched. */
export interface SealedWeakMap<V> {
    readonly get: (key: object) => V | undefined;
    readonly set: (key: object, value: V) => void;
}
export declare function sealedWeakMap<V>(): SealedWeakMap<V>;
/** The value of an own data property; `undefined` where there is none, where it is an accessor, or where a Proxy objects. */
export declare function ownData(object: object, key: PropertyKey): unknown;
/** Tells whether a value has an internal slot, by calling a built-in that throws without it and reads nothing else. */
type Brand = (value: object) => boolean;
export declare const isDate: Brand;
export declare const isRegExp: Brand;
export declare const isMap: Brand;
export declare const isSet: Brand;
export declare const isArrayBuffer: Brand;
export declare const isBoxed: Brand;
export declare const isTypedArray: Brand;
export declare const isError: Brand;
export declare const isPromise: Brand;
export {};
