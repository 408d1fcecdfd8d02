"use client";
import { jsx as _jsx, jsxs as _jsxs } from "react/jsx-runtime";
import { Allowances } from "./allowances.js";
import { Amounts, Heading, Moment } from "./parts.js";
import { ENGLISH } from "./labels.js";
import { useBillPreview } from "./use-bill-preview.js";
import { Windows } from "./windows.js";
/**
 * Fetches and shows the subscriber's bill. Import `@svc/client-js/react/bill-preview.css`, or style the classes yourself.
 *
 * ```tsx
 * <SvcProvider svc={svc}><BillPreview refetchInterval={60_000} /></SvcProvider>
 * ```
 */
export function BillPreview(props) {
    const { locale, timeZone, labels, headingLevel, className, ...options } = props;
    const view = { locale, timeZone, labels, headingLevel, className };
    return _jsx(BillPreviewView, { ...view, bill: useBillPreview(options) });
}
/** Shows a bill that you have fetched yourself with `useBillPreview`. */
export function BillPreviewView(props) {
    const { bill, locale = "en-US", timeZone = "UTC", labels, headingLevel = 2, className } = props;
    const { data, error, isFetching, dataUpdatedAt, refetch } = bill;
    const words = { ...ENGLISH, ...labels };
    const wording = { words, locale, timeZone, currency: data?.currency ?? "usd" };
    const retry = (_jsx("button", { type: "button", className: "svc-bill-retry", onClick: () => void refetch(), children: words.retry }));
    return (_jsxs("section", { className: className === undefined ? "svc-bill" : `svc-bill ${className}`, "aria-label": words.title, "aria-busy": isFetching, children: [_jsx(Heading, { level: headingLevel, children: words.title }), data === null && error === null && _jsx("p", { role: "status", children: words.loading }), data === null && error !== null && (_jsxs("div", { role: "alert", className: "svc-bill-failed", children: [_jsx("p", { children: words.failed }), retry] })), data !== null && error !== null && (_jsxs("div", { role: "status", className: "svc-bill-stale", children: [_jsxs("p", { children: [words.stale, " ", dataUpdatedAt > 0 ? _jsx(Moment, { at: new Date(dataUpdatedAt).toISOString(), wording: wording, precise: true }) : "?"] }), retry] })), data !== null && _jsx(Amounts, { preview: data, wording: wording }), data?.disclosure === "transparent" && _jsx(Windows, { windows: data.windows, wording: wording, level: headingLevel + 1 }), data !== null && _jsx(Allowances, { preview: data, wording: wording, level: headingLevel + 1 }), data?.disclosure === "opaque" && _jsx("p", { className: "svc-bill-note", children: words.opaque })] }));
}
