import { jsx as _jsx, Fragment as _Fragment, jsxs as _jsxs } from "react/jsx-runtime";
import { formatNanos, toNanos } from "../money.js";
import { Heading, Moment } from "./parts.js";
export function Allowances({ preview, wording, level }) {
    const { words } = wording;
    const { allowances } = preview;
    return (_jsxs(_Fragment, { children: [_jsx(Heading, { level: level, children: words.allowances }), allowances.length === 0 ? (_jsx("p", { className: "svc-bill-note", children: words.noAllowances })) : (_jsx("ul", { className: "svc-bill-allowances", children: allowances.map((allowance, index) => (_jsx(Allowance, { allowance: allowance, wording: wording }, index))) }))] }));
}
function Allowance({ allowance, wording }) {
    const { words } = wording;
    const name = words.kinds[allowance.kind] ?? allowance.kind;
    const { consumedBasisPoints, text, held } = "display" in allowance ? shown(allowance.display, wording) : amounts(allowance, wording);
    return (_jsxs("li", { children: [_jsx("span", { className: "svc-bill-kind", children: name }), " ", _jsx("span", { className: "svc-bill-state", children: words.states[allowance.state] ?? allowance.state }), consumedBasisPoints !== null && _jsx("progress", { value: consumedBasisPoints, max: 10_000, "aria-label": name, "aria-valuetext": text }), text !== "" && _jsx("span", { className: "svc-bill-left", children: text }), held !== "" && _jsx("span", { className: "svc-bill-held", children: held }), allowance.expiresAt !== null && (_jsxs("span", { className: "svc-bill-expiry", children: [words.expires, " ", _jsx(Moment, { at: allowance.expiresAt, wording: wording })] }))] }));
}
function amounts(allowance, { words, locale, currency }) {
    const nanos = (amount) => formatNanos(amount, { locale, currency });
    const [remaining, held, consumed] = [toNanos(allowance.remainingNanos), toNanos(allowance.heldNanos), toNanos(allowance.consumedNanos)];
    const all = remaining + held + consumed;
    return {
        consumedBasisPoints: basisPoints(consumed + held, all),
        text: words.left(nanos(remaining), nanos(all)),
        held: held > 0n ? words.held(nanos(held)) : "",
    };
}
function shown(display, { words, locale }) {
    switch (display.kind) {
        case "multiplier": {
            const [remaining, consumed] = [hundredths(display.remainingUnits), hundredths(display.consumedUnits)];
            const units = (text) => text.replace(".", decimalMark(locale));
            const all = new Intl.NumberFormat(locale, { useGrouping: false, maximumFractionDigits: 20 }).format(display.allowanceUnits);
            return { consumedBasisPoints: basisPoints(consumed, remaining + consumed), text: words.left(units(display.remainingUnits), all), held: "" };
        }
        case "fraction": {
            const { consumedBasisPoints, remainingBasisPoints } = display;
            const percent = new Intl.NumberFormat(locale, { style: "percent", maximumFractionDigits: 2 }).format(remainingBasisPoints / 10_000);
            return { consumedBasisPoints, text: words.leftPercent(percent), held: "" };
        }
        case "unknown":
            return { consumedBasisPoints: null, text: "", held: "" };
    }
}
/** A share, exact until it is a bar's length. An empty allowance is one that is gone. */
function basisPoints(part, all) {
    return all <= 0n ? 10_000 : Number((part * 10000n) / all);
}
/** Units with two decimals, as an integer. */
function hundredths(units) {
    return BigInt(units.replace(".", ""));
}
function decimalMark(locale) {
    return new Intl.NumberFormat(locale).formatToParts(0.5).find(({ type }) => type === "decimal")?.value ?? ".";
}
