export { createUsage, type Usage } from "./usage.ts";
export { HoldRefused, UsageError, type UsageErrorCode } from "./errors.ts";
export { fixItem, type FixedItem } from "./item.ts";
export { memoryOutbox, type MemoryOutboxOptions } from "./outbox/memory.ts";
export type { Entry, Outbox, PeekLimit } from "./outbox/outbox.ts";
export type { Hold, HoldRequest, MeterHold, MeterOutcome, RouteHold, RouteOutcome } from "./holds.ts";
export type * from "./options.ts";
export { VERSION } from "./version.ts";
