/** Version of this package, and of `@svc/product` and `@svc/backend`, which are pinned to the same one. */
export declare const VERSION = "0.1.0";
