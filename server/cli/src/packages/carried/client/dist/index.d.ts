export { createSvc, type GetBillPreviewOptions, type Svc, type SvcOptions } from "./svc.ts";
export { SvcError } from "./error.ts";
export { formatCents, formatNanos, toNanos, type FormatNanosOptions, type FormatOptions, type Rounding } from "./money.ts";
export { readBillPreview } from "./preview.ts";
export type { AllowanceDisplay, BillPreview, FractionDisplay, MultiplierDisplay, OpaqueAllowance, OpaquePreview, PreviewWindow, Totals, TransparentAllowance, TransparentPreview, UnknownDisplay, } from "./preview.ts";
export { VERSION } from "./version.ts";
