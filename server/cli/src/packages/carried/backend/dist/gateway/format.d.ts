import type { Reported } from "../options.ts";
/** Carries the reports; a gateway strips it from what a client sends and from what a client gets. */
export declare const USAGE_HEADER = "svc-usage";
/** The gateway's id of the request, which it sets on what it forwards. */
export declare const REQUEST_ID_HEADER = "svc-request-id";
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
export declare function canonical(requestId: string, timestamp: string, payload: string): string;
export declare function compose({ timestamp, payload, signature }: Parts): string;
/** The reports as they stand in a value. Throws `ITEM_FORM` where one is no quantity, or where they are too many. */
export declare function payloadOf(reports: Reports): string;
/** The parts of a value, or null where it has another form. */
export declare function parse(value: string): Parts | null;
/** Whether a moment is near enough to another, both in seconds. */
export declare function isFresh(timestamp: string, nowSeconds: number): boolean;
/** The reports of a payload, or null where it has another form. */
export declare function reportsIn(payload: string): Reports | null;
/** Refuses a secret that is too short to be one. */
export declare function checkSecret(secret: string): string;
