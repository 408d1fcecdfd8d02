// Checked by the compiler, never run: what the types must accept and refuse.

import { createSvc, formatCents, formatNanos, toNanos, type BillPreview, type SvcOptions } from "@svc/client-js";
import { BillPreview as Bill, SvcProvider, useBillPreview } from "@svc/client-js/react";
import { expressPortalHandler, portalHandler } from "@svc/client-js/server";
import type express from "express";

const svc = createSvc({ baseUrl: "/api/svc", business: "b" });

export function switched(bill: BillPreview): string {
  const fee: number = bill.recurringFeeCents;
  switch (bill.disclosure) {
    case "transparent":
      // @ts-expect-error: an amount is a text, not a number
      bill.totals.receivableNanos satisfies number;
      // @ts-expect-error: no display on a transparent bill
      bill.allowances[0]?.display;
      return formatNanos(bill.totals.receivableNanos, { currency: bill.currency, digits: 2, rounding: "floor" }) + formatCents(fee);
    case "opaque":
      // @ts-expect-error: no totals on an opaque bill
      bill.totals;
      // @ts-expect-error: no amounts in its allowances
      bill.allowances[0]?.remainingNanos;
      return bill.allowances.map(({ display }) => {
        switch (display.kind) {
          case "multiplier": return display.remainingUnits;
          case "fraction": return String(display.remainingBasisPoints);
          case "unknown": return "";
        }
      }).join();
  }
}

export function wrong(bill: BillPreview): void {
  // @ts-expect-error: totals only after a look at `disclosure`
  bill.totals;
  // @ts-expect-error: a float is no amount
  formatNanos(1.5);
  // @ts-expect-error: nor is a number
  toNanos(5);
  // @ts-expect-error: a rounding that there is not
  formatNanos("1", { rounding: "up" });
  // @ts-expect-error: a business is needed
  createSvc({ baseUrl: "/" });
  // @ts-expect-error: a function, so that a new token can be had
  ({ baseUrl: "/", business: "b", getToken: "token" }) satisfies SvcOptions;
  // @ts-expect-error: the server's token is needed
  portalHandler({ url: "https://x", business: "b", identify: () => null });
  // @ts-expect-error: nobody is null, not undefined
  portalHandler({ url: "https://x", business: "b", token: "t", identify: () => undefined });
}

export function Component() {
  const { data, error, status, isLoading, isFetching, dataUpdatedAt, refetch } = useBillPreview({
    svc, refetchInterval: false, refetchOnFocus: true, enabled: true, suspense: false,
  });
  // @ts-expect-error: an interval is milliseconds
  useBillPreview({ refetchInterval: "30s" });
  const code: string | undefined = error?.code;
  const states: "pending" | "error" | "success" = status;
  return (
    <SvcProvider svc={svc}>
      <Bill labels={{ title: "T" }} headingLevel={3} refetchInterval={1_000} />
      {/* @ts-expect-error: there is no level 7 */}
      <Bill headingLevel={7} />
      <p onClick={() => void refetch().then(({ data }) => data?.disclosure)}>{[data?.currency, code, states, isLoading, isFetching, dataUpdatedAt].join()}</p>
    </SvcProvider>
  );
}

export const next: (request: Request) => Promise<Response> = portalHandler({ url: "https://x", business: "b", token: () => "t", identify: (request) => request.headers.get("x") });
export const mounted = expressPortalHandler<express.Request>({ url: "https://x", business: "b", token: "t", identify: (request) => request.ip ?? null });
