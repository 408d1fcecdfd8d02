/** Version of this package, and of `@svc/product` and `@svc/client-js`, which are pinned to the same one. */
export declare const VERSION = "0.1.0";
/** Sent with every call, so that a service can refuse a package of another major version in words. */
export declare const PACKAGE_HEADER = "svc-package";
export declare const PACKAGE = "@svc/backend@0.1.0";
