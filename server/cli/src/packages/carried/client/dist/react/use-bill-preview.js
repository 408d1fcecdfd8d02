"use client";
// The hook.
import { useCallback, useMemo, useSyncExternalStore } from "react";
import { useSvc } from "./provider.js";
import { EMPTY, storeOf } from "./store.js";
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
export function useBillPreview(options = {}) {
    const { initialData, initialDataUpdatedAt = 0, enabled = true, suspense = false } = options;
    const refetchInterval = options.refetchInterval || null;
    const refetchOnFocus = options.refetchOnFocus ?? true;
    const store = storeOf(useSvc(options.svc));
    const browser = typeof document !== "undefined";
    const first = useMemo(() => (initialData === undefined ? EMPTY : { ...EMPTY, data: initialData, dataUpdatedAt: initialDataUpdatedAt }), [initialData, initialDataUpdatedAt]);
    // Never on a server, where a client that outlives its request would hand one subscriber's bill to another.
    if (browser && initialData !== undefined)
        store.seed(initialData, initialDataUpdatedAt);
    const subscribe = useCallback((changed) => (enabled ? store.subscribe({ refetchInterval, refetchOnFocus }, changed) : () => { }), [store, enabled, refetchInterval, refetchOnFocus]);
    const snapshot = useSyncExternalStore(subscribe, store.snapshot, () => first);
    if (suspense && enabled && browser && store.snapshot().data === null) {
        const loading = store.load();
        throw loading ?? store.snapshot().error;
    }
    const refetch = useCallback(async () => resultOf(await store.refetch(), refetch), [store]);
    return useMemo(() => resultOf(snapshot, refetch), [snapshot, refetch]);
}
function resultOf(snapshot, refetch) {
    const { data, error, isFetching, dataUpdatedAt } = snapshot;
    const status = error !== null ? "error" : data !== null ? "success" : "pending";
    return { data, error, status, isLoading: status === "pending" && isFetching, isFetching, dataUpdatedAt, refetch };
}
