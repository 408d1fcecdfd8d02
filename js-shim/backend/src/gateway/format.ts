// The value of the header, or trailer, `svc-usage`: what a backend tells the gateway of a request it has served.
// Pure. docs/packages/backend.md says the same in words; usage-signature.vectors.json holds both to it.

import { UsageError } from "../errors.ts";
import { reportsOf } from "../item.ts";
import { GATEWAY_CLOCK_SECONDS_MAX, GATEWAY_HEADER_BYTES_MAX, GATEWAY_REPORTS_MAX, GATEWAY_SECRET_CHARACTERS_MIN } from "../limits.ts";
import type { Reported } from "../options.ts";

/** Carries the reports; a gateway strips it from what a client sends and from what a client gets. */
export const USAGE_HEADER = "svc-usage";
/** The gateway's id of the request, which it sets on what it forwards. */
export const REQUEST_ID_HEADER = "svc-request-id";

/** What is reported, by meter. */
export interface Reports {
  readonly [meter: string]: Reported;
}

/** The signed parts of a value. */
export interface Parts {
  /** Seconds since 1970. */
  readonly timestamp: string;
  /** The reports: base64url, without padding, of JSON in UTF-8. */
  readonly payload: string;
  /** HMAC-SHA-256 in lower-case hex. */
  readonly signature: string;
}

/** What is signed: four lines, each ended by the next one's line feed; none after the last. */
export function canonical(requestId: string, timestamp: string, payload: string): string {
  return `svc-usage-v1\n${requestId}\n${timestamp}\n${payload}`;
}

export function compose({ timestamp, payload, signature }: Parts): string {
  return `t=${timestamp},p=${payload},v1=${signature}`;
}

/** The reports as they stand in a value. Throws `ITEM_FORM` where one is no quantity, or where they are too many. */
export function payloadOf(reports: Reports): string {
  const checked = reportsOf(reports);
  if (Object.keys(checked).length > GATEWAY_REPORTS_MAX) {
    throw new UsageError("ITEM_FORM", `One answer reports at most ${GATEWAY_REPORTS_MAX} meters.`);
  }
  const payload = base64url(new TextEncoder().encode(JSON.stringify(checked)));
  if (payload.length > GATEWAY_HEADER_BYTES_MAX - VALUE_BYTES_BESIDE) {
    throw new UsageError("ITEM_FORM", `What one answer reports has at most ${GATEWAY_HEADER_BYTES_MAX} bytes.`);
  }
  return payload;
}

/** Bytes of a value beside its payload, at most: `t=`, a moment, `,p=`, `,v1=`, a signature. */
const VALUE_BYTES_BESIDE = 2 + 15 + 3 + 4 + 64;

/** The parts of a value, or null where it has another form. */
export function parse(value: string): Parts | null {
  if (value.length > GATEWAY_HEADER_BYTES_MAX) return null;
  const match = /^t=(\d{1,15}),p=([A-Za-z0-9_-]*),v1=([0-9a-f]{64})$/.exec(value);
  if (match === null) return null;
  const [, timestamp = "", payload = "", signature = ""] = match;
  return { timestamp, payload, signature };
}

/** Whether a moment is near enough to another, both in seconds. */
export function isFresh(timestamp: string, nowSeconds: number): boolean {
  return Math.abs(Number(timestamp) - nowSeconds) <= GATEWAY_CLOCK_SECONDS_MAX;
}

/** The reports of a payload, or null where it has another form. */
export function reportsIn(payload: string): Reports | null {
  try {
    const bytes = fromBase64url(payload);
    const json: unknown = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
    if (typeof json !== "object" || json === null || Array.isArray(json)) return null;
    if (Object.keys(json).length > GATEWAY_REPORTS_MAX) return null;
    return reportsOf(json as Reports);
  } catch {
    return null;
  }
}

/** Refuses a secret that is too short to be one. */
export function checkSecret(secret: string): string {
  if (typeof secret !== "string" || secret.length < GATEWAY_SECRET_CHARACTERS_MIN) {
    throw new UsageError("OPTION_FORM", `\`secret\` has ${GATEWAY_SECRET_CHARACTERS_MIN} characters or more.`);
  }
  return secret;
}

function base64url(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes)).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

function fromBase64url(text: string): Uint8Array {
  const bytes = Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (character) => character.charCodeAt(0));
  // One text for one sequence of bytes: leftover bits, which decoders ignore, are refused.
  if (base64url(bytes) !== text) throw new Error("not canonical");
  return bytes;
}
