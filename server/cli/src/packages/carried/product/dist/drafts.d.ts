import type { Misplaced, Place } from "./dialect.ts";
/** A finished product, as JSON texts. */
export interface ProductText {
    readonly className: string;
    readonly declarations: string;
}
/** For good: a run records or throws, never both. */
export declare function startRecording(): void;
export declare const isRecording: () => boolean;
export declare function isFinalised(place: Place): boolean;
/** Keeps one applied decorator. A stack is applied from bottom to top, so each goes in front of the one before. */
export declare function declare(place: Place, decorator: string, args: string): void;
/** Closes the class: it is a product now and takes no more decorators. */
export declare function finalise(place: Place): void;
/** The JSON array of what has been declared on a class so far. */
export declare function declarationsOf(place: Place): string;
export declare function recordMisuse(decorator: string, misplaced: Misplaced): void;
/** The finished product that a class is; `undefined` if it is none. */
export declare function productOf(constructor: object): ProductText | undefined;
/** How many classes `@Product` finalised in this run. */
export declare const productCount: () => number;
/** The JSON array of the misuses of this run, in the order in which they happened. */
export declare const misusesText: () => string;
