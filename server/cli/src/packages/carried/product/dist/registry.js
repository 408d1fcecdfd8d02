// Tells a product as the registry's JSON text (docs/registry.md, "Shape"). This is the package's second entry,
// `@svc/product/registry`, for the host and for tools; authors don't need it.
// Must not know: what any decorator's arguments mean, rules, how a class was decorated.
import { isClassDeclaration } from "./dialect.js";
import { misusesText, productCount, productOf, startRecording } from "./drafts.js";
/** Version of the registry's form. */
const REGISTRY_VERSION = 1;
/** The same as `version` in package.json. */
export const SDK_VERSION = "0.1.0";
/** From now on nothing is thrown: misuses go into the registry, and the engine reports them with all else. */
export function recordInsteadOfThrow() {
    startRecording();
}
/** The registry of a product file's default export, as JSON text. */
export function readRegistry(defaultExport) {
    const product = typeof defaultExport === "function" ? productOf(defaultExport) : undefined;
    const content = product === undefined
        ? `"absent":"${absence(defaultExport)}","products":${productCount()}`
        : `"className":${product.className},"products":${productCount()},"declarations":${product.declarations}`;
    return `{"registryVersion":${REGISTRY_VERSION},"sdkVersion":"${SDK_VERSION}",${content},"misuses":${misusesText()}}`;
}
function absence(defaultExport) {
    if (defaultExport === undefined)
        return "missing";
    return isClassDeclaration(defaultExport) ? "notDecorated" : "notAClass";
}
