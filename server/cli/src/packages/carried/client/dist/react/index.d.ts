export { SvcProvider, type SvcProviderProps } from "./provider.ts";
export { useBillPreview, type BillPreviewResult, type UseBillPreviewOptions } from "./use-bill-preview.ts";
export { BillPreview, BillPreviewView, type BillPreviewProps, type BillPreviewViewOptions, type BillPreviewViewProps } from "./bill-preview.tsx";
export type { BillPreviewLabels } from "./labels.ts";
