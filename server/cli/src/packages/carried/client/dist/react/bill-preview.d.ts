import type { ReactNode } from "react";
import { type BillPreviewLabels } from "./labels.ts";
import { type BillPreviewResult, type UseBillPreviewOptions } from "./use-bill-preview.ts";
export interface BillPreviewViewOptions {
    /**
     * A BCP 47 tag for amounts and moments. Default `en-US`; the same on server and page, or hydration differs.
     *
     * ```tsx
     * <BillPreview locale="de-DE" labels={german} />
     * ```
     */
    locale?: string;
    /**
     * An IANA time zone for moments. Default `UTC`, in which periods begin and end.
     *
     * ```tsx
     * <BillPreview timeZone="Europe/Berlin" />
     * ```
     */
    timeZone?: string;
    /**
     * Words in place of the English ones.
     *
     * ```tsx
     * <BillPreview labels={{ title: "Ihre Rechnung bisher" }} />
     * ```
     */
    labels?: Partial<BillPreviewLabels>;
    /**
     * Level of the section's heading, 1 to 5; those in it are one deeper. Default 2.
     *
     * ```tsx
     * <BillPreview headingLevel={3} />
     * ```
     */
    headingLevel?: 1 | 2 | 3 | 4 | 5;
    /**
     * Beside `svc-bill`, for your own styles.
     *
     * ```tsx
     * <BillPreview className="card" />
     * ```
     */
    className?: string;
}
export interface BillPreviewProps extends UseBillPreviewOptions, BillPreviewViewOptions {
}
/**
 * Fetches and shows the subscriber's bill. Import `@svc/client-js/react/bill-preview.css`, or style the classes yourself.
 *
 * ```tsx
 * <SvcProvider svc={svc}><BillPreview refetchInterval={60_000} /></SvcProvider>
 * ```
 */
export declare function BillPreview(props: BillPreviewProps): ReactNode;
export interface BillPreviewViewProps extends BillPreviewViewOptions {
    /**
     * What the hook returned.
     *
     * ```tsx
     * <BillPreviewView bill={useBillPreview()} />
     * ```
     */
    bill: BillPreviewResult;
}
/** Shows a bill that you have fetched yourself with `useBillPreview`. */
export declare function BillPreviewView(props: BillPreviewViewProps): ReactNode;
