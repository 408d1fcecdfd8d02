export interface BillPreviewLabels {
    title: string;
    loading: string;
    /** Nothing can be shown. */
    failed: string;
    /** The bill shown is an older one; the moment follows. */
    stale: string;
    retry: string;
    /** What is owed for usage, after allowances. */
    receivable: string;
    recurringFee: string;
    rated: string;
    funded: string;
    windows: string;
    window: string;
    charges: string;
    amount: string;
    noWindows: string;
    allowances: string;
    noAllowances: string;
    /** Of an opaque bill: why no amounts are shown. */
    opaque: string;
    /** What is left, of how much; both are formatted. */
    left: (remaining: string, all: string) => string;
    /** What is left, as a percentage that is formatted. */
    leftPercent: (percent: string) => string;
    /** What is set aside for requests under way. */
    held: (amount: string) => string;
    expires: string;
    /** By a bucket's `kind`; one that is missing here is shown as it is. */
    kinds: {
        readonly [kind: string]: string;
    };
    /** By a bucket's `state`; one that is missing here is shown as it is. */
    states: {
        readonly [state: string]: string;
    };
}
export declare const ENGLISH: BillPreviewLabels;
