// The bill preview's two shapes, and the reading of what the service sends. Amounts stay the texts they are.
/**
 * Reads an answer. A shape that is not known, also in part, becomes an opaque preview: what can't be understood is not shown.
 * Null for what is no preview at all.
 */
export function readBillPreview(answer) {
    const json = object(answer);
    if (json === null)
        return null;
    const { currency, recurringFeeCents } = json;
    if (typeof currency !== "string" || !Number.isSafeInteger(recurringFeeCents))
        return null;
    const common = { currency, recurringFeeCents: recurringFeeCents };
    if (json["disclosure"] === "transparent") {
        const windows = all(json["windows"], window);
        const totals = members(json["totals"], { ratedNanos: nanos, fundedNanos: nanos, receivableNanos: nanos });
        const allowances = all(json["allowances"], transparentAllowance);
        if (windows !== null && totals !== null && allowances !== null) {
            return { disclosure: "transparent", ...common, windows, totals: totals, allowances };
        }
    }
    const allowances = Array.isArray(json["allowances"]) ? json["allowances"].map(opaqueAllowance) : [];
    return { disclosure: "opaque", ...common, allowances: allowances.filter((allowance) => allowance !== null) };
}
const text = (value) => typeof value === "string";
const nanos = (value) => typeof value === "string" && /^-?\d{1,60}$/.test(value);
const count = (value) => Number.isSafeInteger(value) && value >= 0;
const points = (value) => count(value) && value <= 10_000;
const units = (value) => typeof value === "string" && /^\d{1,40}\.\d\d$/.test(value);
const factor = (value) => typeof value === "number" && Number.isFinite(value);
const expiry = (value) => value === null || text(value);
function window(value) {
    const checks = { windowId: text, windowStart: text, windowEnd: text, chargeCount: count, ratedNanos: nanos };
    return members(value, checks);
}
const ALLOWANCE = { kind: text, state: text, expiresAt: expiry };
function transparentAllowance(value) {
    return members(value, { ...ALLOWANCE, remainingNanos: nanos, heldNanos: nanos, consumedNanos: nanos });
}
function opaqueAllowance(value) {
    const common = members(value, ALLOWANCE);
    return common === null ? null : { ...common, display: display(object(value)?.["display"]) };
}
function display(value) {
    switch (object(value)?.["kind"]) {
        case "multiplier":
            return members(value, { kind: text, allowanceUnits: factor, remainingUnits: units, consumedUnits: units }) ?? UNKNOWN;
        case "fraction":
            return members(value, { kind: text, consumedBasisPoints: points, remainingBasisPoints: points }) ?? UNKNOWN;
        default:
            return UNKNOWN;
    }
}
const UNKNOWN = { kind: "unknown" };
/** Just these members, if all of them are as they should be. */
function members(value, checks) {
    const json = object(value);
    if (json === null)
        return null;
    const read = {};
    for (const [member, check] of Object.entries(checks)) {
        if (!check(json[member]))
            return null;
        read[member] = json[member];
    }
    return read;
}
function all(value, read) {
    if (!Array.isArray(value))
        return null;
    const entries = value.map(read);
    return entries.every((entry) => entry !== null) ? entries : null;
}
function object(value) {
    return typeof value === "object" && value !== null && !Array.isArray(value) ? value : null;
}
