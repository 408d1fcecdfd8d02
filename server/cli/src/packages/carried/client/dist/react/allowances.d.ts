import type { ReactNode } from "react";
import type { BillPreview } from "../preview.ts";
import { type Wording } from "./parts.tsx";
export declare function Allowances({ preview, wording, level }: {
    preview: BillPreview;
    wording: Wording;
    level: number;
}): ReactNode;
