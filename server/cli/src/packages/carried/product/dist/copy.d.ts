/** Levels of objects and arrays copied; an argument itself is level 1. */
export declare const DEPTH_MAX = 64;
/** Values copied in one decorator call: arguments, elements and property values. */
export declare const VALUES_MAX = 200000;
/** What JSON can't say. */
export type OddKind = "NaN" | "Infinity" | "-Infinity" | "-0" | "undefined" | "bigint" | "symbol" | "function" | "accessor" | "symbol key" | "lone surrogate" | "lone surrogate key" | "cycle" | "too deep" | "too large" | "sparse array" | "threw" | "Date" | "RegExp" | "Map" | "Set" | "Promise" | "Error" | "ArrayBuffer" | "typed array" | "boxed primitive" | "class instance" | "array with properties";
/** The arguments of one decorator call as the text of a JSON array; trailing `undefined` is left out. */
export declare function copyArguments(args: ArrayLike<unknown>): string;
