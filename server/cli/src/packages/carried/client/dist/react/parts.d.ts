import { type ReactNode } from "react";
import type { BillPreview } from "../preview.ts";
import type { BillPreviewLabels } from "./labels.ts";
/** How everything is written. */
export interface Wording {
    readonly words: BillPreviewLabels;
    readonly locale: string;
    readonly timeZone: string;
    readonly currency: string;
}
export declare function Heading({ level, children }: {
    level: number;
    children: ReactNode;
}): ReactNode;
/** A moment, readable by people and machines. A text that is no moment is shown as it is. */
export declare function Moment({ at, wording, precise }: {
    at: string;
    wording: Wording;
    precise?: boolean;
}): ReactNode;
/** What a subscriber looks for first: what is owed now. */
export declare function Amounts({ preview, wording }: {
    preview: BillPreview;
    wording: Wording;
}): ReactNode;
