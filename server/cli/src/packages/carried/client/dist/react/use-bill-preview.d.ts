import type { SvcError } from "../error.ts";
import type { BillPreview } from "../preview.ts";
import type { Svc } from "../svc.ts";
export interface UseBillPreviewOptions {
    /**
     * The client. Default: that of the `SvcProvider` around.
     *
     * ```tsx
     * useBillPreview({ svc })
     * ```
     */
    svc?: Svc;
    /**
     * Milliseconds between two fetches while the page is shown, at least 1,000; false for none. Default false.
     *
     * ```tsx
     * useBillPreview({ refetchInterval: 30_000 })
     * ```
     */
    refetchInterval?: number | false;
    /**
     * Whether coming back to the page fetches, at most every 5 seconds. Default true.
     *
     * ```tsx
     * useBillPreview({ refetchOnFocus: false })
     * ```
     */
    refetchOnFocus?: boolean;
    /**
     * A bill that the server has fetched for this subscriber, for the first rendering on both sides.
     *
     * ```tsx
     * useBillPreview({ initialData: bill })
     * ```
     */
    initialData?: BillPreview;
    /**
     * When `initialData` was fetched, in milliseconds since 1970. Default 0: not known, so it is fetched anew at once.
     *
     * ```tsx
     * useBillPreview({ initialData: bill, initialDataUpdatedAt: renderedAt })
     * ```
     */
    initialDataUpdatedAt?: number;
    /**
     * False: nothing is fetched. Default true.
     *
     * ```tsx
     * useBillPreview({ enabled: session !== null })
     * ```
     */
    enabled?: boolean;
    /**
     * Whether to suspend while there is no bill, and to throw the error when there will be none. In browsers only: a server
     * renders the pending state, or `initialData`. Default false.
     *
     * ```tsx
     * <Suspense fallback={<Spinner />}><Bill /></Suspense> // whose useBillPreview({ suspense: true }) returns data
     * ```
     */
    suspense?: boolean;
}
export interface BillPreviewResult {
    /** The last good bill, also while it is refreshed and when that fails; null before the first, and after a 401 or 403. */
    data: BillPreview | null;
    /** Why the last fetch failed; null after a good one. */
    error: SvcError | null;
    /** `error` may come with `data`: then the bill is as old as `dataUpdatedAt` says. */
    status: "pending" | "error" | "success";
    /** The first bill is on its way. */
    isLoading: boolean;
    /** A bill is on its way. */
    isFetching: boolean;
    /** When `data` was fetched, in milliseconds since 1970; 0 where that is not known. */
    dataUpdatedAt: number;
    /** Fetches now, or when the service's `Retry-After` is over. Never rejects: look at `error`. */
    refetch: () => Promise<BillPreviewResult>;
}
/**
 * The subscriber's bill, kept fresh. All components with the same client share one bill and one request.
 *
 * ```tsx
 * function Owed() {
 *   const { data } = useBillPreview({ refetchInterval: 60_000 });
 *   if (data?.disclosure !== "transparent") return null;
 *   return <b>{formatNanos(data.totals.receivableNanos, { digits: 2 })}</b>;
 * }
 * ```
 */
export declare function useBillPreview(options?: UseBillPreviewOptions): BillPreviewResult;
