"use client";
// Hands the client to the components below.
import { createContext, createElement, useContext } from "react";
const Context = createContext(null);
/** Gives `useBillPreview` and `<BillPreview/>` below it their client. */
export function SvcProvider({ svc, children }) {
    return createElement(Context.Provider, { value: svc }, children);
}
export function useSvc(given) {
    const provided = useContext(Context);
    const svc = given ?? provided;
    if (svc === null)
        throw new Error("useBillPreview needs a client: put <SvcProvider svc={svc}> around it, or give it `svc`.");
    return svc;
}
