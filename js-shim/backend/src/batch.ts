// A batch's body, and what the service's answer to it says of each item.

import type { Entry } from "./outbox/outbox.ts";

const BEFORE = '{"items":[';
const AFTER = "]}";
/** Bytes of a body beside its items; the commas between them are counted with the items. */
export const ENVELOPE_BYTES = BEFORE.length + AFTER.length;

/** The body of a batch: the items' own bytes, nothing written anew. */
export function bodyOf(entries: readonly Entry[]): string {
  return BEFORE + entries.map((entry) => entry.text).join(",") + AFTER;
}

export type ItemResult =
  | { readonly status: "accepted" | "duplicate"; readonly charges: number }
  | { readonly status: "refused"; readonly code: string; readonly message: string };

/** The results of a batch of so many items, or null where the answer has another form. */
export function resultsOf(answer: unknown, items: number): ItemResult[] | null {
  const results = (answer as { results?: unknown } | null)?.results;
  if (!Array.isArray(results) || results.length !== items) return null;
  const read: ItemResult[] = [];
  for (const result of results as Record<string, unknown>[]) {
    const { status, charges, code, message } = result ?? {};
    if (status === "accepted" || status === "duplicate") {
      read.push({ status, charges: typeof charges === "number" ? charges : 0 });
    } else if (status === "refused" && typeof code === "string") {
      read.push({ status, code, message: typeof message === "string" ? message : code });
    } else return null;
  }
  return read;
}
