import { jsx as _jsx, Fragment as _Fragment, jsxs as _jsxs } from "react/jsx-runtime";
// The small pieces that the bill is made of.
import { createElement } from "react";
import { formatCents, formatNanos } from "../money.js";
export function Heading({ level, children }) {
    return createElement(`h${Math.min(6, level)}`, { className: "svc-bill-heading" }, children);
}
/** A moment, readable by people and machines. A text that is no moment is shown as it is. */
export function Moment({ at, wording, precise = false }) {
    const date = new Date(at);
    if (Number.isNaN(date.getTime()))
        return at;
    const { locale, timeZone } = wording;
    const style = precise ? { dateStyle: "medium", timeStyle: "medium" } : { dateStyle: "medium" };
    return _jsx("time", { dateTime: at, children: new Intl.DateTimeFormat(locale, { ...style, timeZone }).format(date) });
}
/** What a subscriber looks for first: what is owed now. */
export function Amounts({ preview, wording }) {
    const { words, locale, currency } = wording;
    const nanos = (text) => formatNanos(text, { locale, currency });
    return (_jsxs("dl", { className: "svc-bill-amounts", children: [preview.disclosure === "transparent" && (_jsx(Fact, { name: words.receivable, value: nanos(preview.totals.receivableNanos), main: true })), _jsx(Fact, { name: words.recurringFee, value: formatCents(preview.recurringFeeCents, { locale, currency }) }), preview.disclosure === "transparent" && (_jsxs(_Fragment, { children: [_jsx(Fact, { name: words.rated, value: nanos(preview.totals.ratedNanos) }), _jsx(Fact, { name: words.funded, value: nanos(preview.totals.fundedNanos) })] }))] }));
}
function Fact({ name, value, main = false }) {
    return (_jsxs("div", { className: main ? "svc-bill-fact svc-bill-main" : "svc-bill-fact", children: [_jsx("dt", { children: name }), _jsx("dd", { children: value })] }));
}
