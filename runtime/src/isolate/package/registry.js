import { isClassDeclaration } from "product/@svc/dialect.ts";
import { misusesText, productCount, productOf, startRecording } from "product/@svc/drafts.ts";
const REGISTRY_VERSION = 1;
export const SDK_VERSION = "0.1.0";
export function recordInsteadOfThrow() {
 startRecording();
}
export function readRegistry(defaultExport) {
 const product = typeof defaultExport === "function" ? productOf(defaultExport) : undefined;
 const content = product === undefined ? `"absent":"${absence(defaultExport)}","products":${productCount()}` : `"className":${product.className},"products":${productCount()},"declarations":${product.declarations}`;
 return `{"registryVersion":${REGISTRY_VERSION},"sdkVersion":"${SDK_VERSION}",${content},"misuses":${misusesText()}}`;
}
function absence(defaultExport) {
 if (defaultExport === undefined) return "missing";
 return isClassDeclaration(defaultExport) ? "notDecorated" : "notAClass";
}
