import type { Misplaced } from "./dialect.ts";
/** What a class definition throws. */
export declare class ProductError extends Error {
    readonly name = "ProductError";
    /** Stable, upper snake case. */
    readonly code: string;
    /** Where in the product, as in `features.jobs.routes.POST /v1/jobs.cost.compute`. */
    readonly path: string;
    constructor(code: string, path: string, message: string);
}
/** Checks one decorator call; `copied` is the JSON text of its arguments. */
export declare function checkArguments(decorator: string, copied: string): void;
/** Checks what can be told only of the whole class; `declarations` is the JSON text of all its decorators. */
export declare function checkProduct(declarations: string): void;
export declare function misuseError(decorator: string, { misuse, member }: Misplaced): ProductError;
