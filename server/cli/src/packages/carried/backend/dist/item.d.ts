import type { Reported, Units, UsageItem } from "./options.ts";
/** An item as it will be sent, however often. */
export interface FixedItem {
    readonly id: string;
    readonly subject: string;
    /** Its JSON. */
    readonly text: string;
    /** Bytes of `text` in UTF-8. */
    readonly bytes: number;
}
/** Checks an item and fixes its id and its bytes. Throws `ITEM_FORM`. */
export declare function fixItem(item: UsageItem): FixedItem;
/** The same item without its hold; text that names no hold is null. */
export declare function withoutHold(text: string): string | null;
/** A quantity in its one form, or `ITEM_FORM`. */
export declare function unitsOf(value: Units, where: string): number | string;
/** Reported values in the order of their meters. */
export declare function reportsOf(reports: {
    readonly [meter: string]: Reported | undefined;
}): {
    [meter: string]: Reported;
};
export declare function utf8Bytes(text: string): number;
