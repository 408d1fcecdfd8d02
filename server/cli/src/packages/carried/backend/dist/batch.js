// A batch's body, and what the service's answer to it says of each item.
const BEFORE = '{"items":[';
const AFTER = "]}";
/** Bytes of a body beside its items; the commas between them are counted with the items. */
export const ENVELOPE_BYTES = BEFORE.length + AFTER.length;
/** The body of a batch: the items' own bytes, nothing written anew. */
export function bodyOf(entries) {
    return BEFORE + entries.map((entry) => entry.text).join(",") + AFTER;
}
/** The results of a batch of so many items, or null where the answer has another form. */
export function resultsOf(answer, items) {
    const results = answer?.results;
    if (!Array.isArray(results) || results.length !== items)
        return null;
    const read = [];
    for (const result of results) {
        const { status, charges, code, message } = result ?? {};
        if (status === "accepted" || status === "duplicate") {
            read.push({ status, charges: typeof charges === "number" ? charges : 0 });
        }
        else if (status === "refused" && typeof code === "string") {
            read.push({ status, code, message: typeof message === "string" ? message : code });
        }
        else
            return null;
    }
    return read;
}
