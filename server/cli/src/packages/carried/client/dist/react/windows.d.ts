import type { ReactNode } from "react";
import type { PreviewWindow } from "../preview.ts";
import { type Wording } from "./parts.tsx";
export declare function Windows({ windows, wording, level }: {
    windows: readonly PreviewWindow[];
    wording: Wording;
    level: number;
}): ReactNode;
