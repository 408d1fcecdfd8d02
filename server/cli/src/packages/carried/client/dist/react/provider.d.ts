import { type ReactNode } from "react";
import type { Svc } from "../svc.ts";
export interface SvcProviderProps {
    /**
     * The client, made outside of rendering: one a page, and on a server one a request.
     *
     * ```tsx
     * <SvcProvider svc={svc}><App /></SvcProvider>
     * ```
     */
    svc: Svc;
    children?: ReactNode;
}
/** Gives `useBillPreview` and `<BillPreview/>` below it their client. */
export declare function SvcProvider({ svc, children }: SvcProviderProps): ReactNode;
export declare function useSvc(given: Svc | undefined): Svc;
