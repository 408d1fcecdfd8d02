// The one version of all packages; a test holds it to js-shim/package.json.
/** Version of this package, and of `@svc/product` and `@svc/client-js`, which are pinned to the same one. */
export const VERSION = "0.1.0";
/** Sent with every call, so that a service can refuse a package of another major version in words. */
export const PACKAGE_HEADER = "svc-package";
export const PACKAGE = `@svc/backend@${VERSION}`;
