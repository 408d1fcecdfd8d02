// The one version of all packages; a test holds it to js-shim/package.json.
/** Version of this package, and of `@svc/product` and `@svc/backend`, which are pinned to the same one. */
export const VERSION = "0.1.0";
