// What pages import from `@svc/client-js`: the client, the bill's types, and amounts as text. No framework.
export { createSvc } from "./svc.js";
export { SvcError } from "./error.js";
export { formatCents, formatNanos, toNanos } from "./money.js";
export { readBillPreview } from "./preview.js";
export { VERSION } from "./version.js";
