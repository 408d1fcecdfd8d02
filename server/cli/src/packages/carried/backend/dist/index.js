// What backends import from `@svc/backend`: nothing here needs more than a `fetch`, so it runs on workers too.
export { createUsage } from "./usage.js";
export { HoldRefused, UsageError } from "./errors.js";
export { fixItem } from "./item.js";
export { memoryOutbox } from "./outbox/memory.js";
export { VERSION } from "./version.js";
