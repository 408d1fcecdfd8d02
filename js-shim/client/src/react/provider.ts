"use client";
// Hands the client to the components below.

import { createContext, createElement, useContext, type ReactNode } from "react";
import type { Svc } from "../svc.ts";

const Context = createContext<Svc | null>(null);

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
export function SvcProvider({ svc, children }: SvcProviderProps): ReactNode {
  return createElement(Context.Provider, { value: svc }, children);
}

export function useSvc(given: Svc | undefined): Svc {
  const provided = useContext(Context);
  const svc = given ?? provided;
  if (svc === null) throw new Error("useBillPreview needs a client: put <SvcProvider svc={svc}> around it, or give it `svc`.");
  return svc;
}
