import { jsx as _jsx, jsxs as _jsxs, Fragment as _Fragment } from "react/jsx-runtime";
import { formatNanos } from "../money.js";
import { Heading, Moment } from "./parts.js";
export function Windows({ windows, wording, level }) {
    const { words, locale, currency } = wording;
    return (_jsxs(_Fragment, { children: [_jsx(Heading, { level: level, children: words.windows }), windows.length === 0 ? (_jsx("p", { className: "svc-bill-note", children: words.noWindows })) : (
            // Long amounts scroll by themselves instead of widening the page; who uses a keyboard can scroll too.
            _jsx("div", { className: "svc-bill-scroll", role: "region", "aria-label": words.windows, tabIndex: 0, children: _jsxs("table", { children: [_jsx("thead", { children: _jsxs("tr", { children: [_jsx("th", { scope: "col", children: words.window }), _jsx("th", { scope: "col", className: "svc-bill-number", children: words.charges }), _jsx("th", { scope: "col", className: "svc-bill-number", children: words.amount })] }) }), _jsx("tbody", { children: windows.map((window) => (_jsxs("tr", { children: [_jsxs("th", { scope: "row", children: [_jsx(Moment, { at: window.windowStart, wording: wording }), " \u2013 ", _jsx(Moment, { at: window.windowEnd, wording: wording })] }), _jsx("td", { className: "svc-bill-number", children: new Intl.NumberFormat(locale).format(window.chargeCount) }), _jsx("td", { className: "svc-bill-number", children: formatNanos(window.ratedNanos, { locale, currency }) })] }, window.windowId))) })] }) }))] }));
}
