// An item's one form on the wire: checked, its id fixed, written out once.
// Must not know: where it waits, or how it is sent.

import { UsageError } from "./errors.ts";
import { ITEM_BYTES_MAX, NAME_CHARACTERS_MAX, UNITS_FRACTION_DIGITS_MAX, UNITS_MAX } from "./limits.ts";
import type { Attributes, MeasuredItem, Reported, ServedItem, Units, UsageItem } from "./options.ts";

/** An item as it will be sent, however often. */
export interface FixedItem {
  readonly id: string;
  readonly subject: string;
  /** Its JSON. */
  readonly text: string;
  /** Bytes of `text` in UTF-8. */
  readonly bytes: number;
}

/** Checks an item and fixes its id and its bytes. Throws `ITEM_FORM`. */
export function fixItem(item: UsageItem): FixedItem {
  if (typeof item !== "object" || item === null) refuse("An item is an object.");
  const subject = name(item.subject, "subject");
  const id = idOf(item);
  const occurredAt = item.occurredAt === undefined ? undefined : moment(item.occurredAt);
  const hold = item.hold === undefined ? undefined : name(item.hold, "hold");
  const what = item.route === undefined ? measured(item) : served(item);
  // The members stand in one order, whatever the caller's: the same item is the same bytes.
  const text = JSON.stringify({ id, subject, ...what, occurredAt, hold });
  const bytes = utf8Bytes(text);
  if (bytes > ITEM_BYTES_MAX) refuse(`The item ${id} has ${bytes} bytes, more than ${ITEM_BYTES_MAX}.`);
  return { id, subject, text, bytes };
}

/** The same item without its hold; text that names no hold is null. */
export function withoutHold(text: string): string | null {
  const item = JSON.parse(text) as { hold?: string };
  if (item.hold === undefined) return null;
  delete item.hold;
  return JSON.stringify(item);
}

/** A quantity in its one form, or `ITEM_FORM`. */
export function unitsOf(value: Units, where: string): number | string {
  if (typeof value === "number") {
    if (!Number.isInteger(value)) refuse(`${where} is ${value}: write a fraction as text, such as "0.125".`);
    if (value < 0 || BigInt(value) > UNITS_MAX) refuse(`${where} is ${value}: a quantity is 0 to 10^15.`);
    return value + 0;
  }
  const digits = typeof value === "string" ? DECIMAL.exec(value) : null;
  if (digits === null) refuse(`${where} is no quantity: it is an integer, or a decimal as text with at most nine fraction digits.`);
  const [, whole = "", fraction = ""] = digits;
  if (BigInt(whole) > UNITS_MAX || (BigInt(whole) === UNITS_MAX && /[1-9]/.test(fraction))) {
    refuse(`${where} is ${value}: a quantity is 0 to 10^15.`);
  }
  return value;
}

const DECIMAL = new RegExp(`^(\\d{1,16})(?:\\.(\\d{1,${UNITS_FRACTION_DIGITS_MAX}}))?$`);
const CONTROL = /\p{Cc}/u;
const MOMENT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{1,6})?Z$/;

function measured(item: MeasuredItem) {
  const { meter, units, uniqueKey, by } = item;
  if (typeof meter !== "string" || meter === "") refuse("An item names a meter or a route.");
  if (item.status !== undefined || item.reports !== undefined) refuse(`\`status\` and \`reports\` go with a route, not with the meter ${meter}.`);
  return {
    meter,
    units: unitsOf(units, `\`units\` of ${meter}`),
    by: by === undefined ? undefined : attributesOf(by, `\`by\` of ${meter}`),
    uniqueKey: uniqueKey === undefined ? undefined : name(uniqueKey, "uniqueKey"),
  };
}

function served(item: ServedItem) {
  const { route, status, reports } = item;
  if (typeof route !== "string" || !/^[A-Z]+ \//.test(route)) refuse("A route is a method and a path, such as `POST /v1/jobs`.");
  if (item.meter !== undefined || item.units !== undefined) refuse("An item has a route or a meter, not both.");
  if (!Number.isInteger(status) || status < 100 || status > 599) refuse(`\`status\` of ${route} is 100 to 599.`);
  return { route, status, reports: reports === undefined ? undefined : reportsOf(reports) };
}

/** Reported values in the order of their meters. */
export function reportsOf(reports: { readonly [meter: string]: Reported | undefined }): { [meter: string]: Reported } {
  const known = Object.entries(reports).filter((entry): entry is [string, Reported] => entry[1] !== undefined);
  known.sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(known.map(([meter, reported]) => [meter, reportedOf(reported, `\`reports.${meter}\``)]));
}

function reportedOf(reported: Reported, where: string): Reported {
  if (!Array.isArray(reported)) return unitsOf(reported as Units, where);
  return reported.map(({ units, by }) => ({ units: unitsOf(units, where), by: attributesOf(by, where) }));
}

/** Attributes in the order of their names. */
function attributesOf(by: Attributes, where: string): Attributes {
  if (typeof by !== "object" || by === null) refuse(`${where} is an object of texts.`);
  const known = Object.entries(by).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(known.map(([attribute, value]) => [attribute, name(value, attribute)]));
}

/**
 * The item's id. `#` joins a request's id and what is reported of it; where the request's id has one itself it is escaped,
 * so that two requests never share an id.
 */
function idOf(item: UsageItem): string {
  if (item.id !== undefined) return name(item.id, "id");
  if (item.requestId === undefined) {
    refuse("An item needs an `id` or the `requestId` of the request that was served: a made-up one would charge a retry twice.");
  }
  const cell = item.by === undefined ? "" : JSON.stringify(Object.values(attributesOf(item.by, "`by`")));
  const parts = [item.requestId, `${item.meter ?? ""}${cell}`, item.part ?? ""];
  while (parts.length > 1 && parts.at(-1) === "") parts.pop();
  for (const part of parts) if (typeof part !== "string") refuse("`requestId` and `part` are texts.");
  return name(parts.map((part) => part.replaceAll("%", "%25").replaceAll("#", "%23")).join("#"), "requestId");
}

function name(value: unknown, member: string): string {
  if (typeof value !== "string" || value === "" || [...value].length > NAME_CHARACTERS_MAX || CONTROL.test(value) || !value.isWellFormed()) {
    refuse(`\`${member}\` has 1 to ${NAME_CHARACTERS_MAX} characters and no control characters.`);
  }
  return value;
}

function moment(value: string | Date): string {
  const text = value instanceof Date && !Number.isNaN(value.getTime()) ? value.toISOString() : value;
  if (typeof text !== "string" || !MOMENT.test(text)) refuse("`occurredAt` is a Date or ISO 8601 in UTC, such as `2026-11-28T10:00:00Z`.");
  return text;
}

const encoder = new TextEncoder();

export function utf8Bytes(text: string): number {
  return encoder.encode(text).length;
}

function refuse(message: string): never {
  throw new UsageError("ITEM_FORM", message);
}
