"use client";
// What React pages import from `@svc/client-js/react`.
export { SvcProvider } from "./provider.js";
export { useBillPreview } from "./use-bill-preview.js";
export { BillPreview, BillPreviewView } from "./bill-preview.js";
