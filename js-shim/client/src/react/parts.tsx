// The small pieces that the bill is made of.

import { createElement, type ReactNode } from "react";
import { formatCents, formatNanos } from "../money.ts";
import type { BillPreview } from "../preview.ts";
import type { BillPreviewLabels } from "./labels.ts";

/** How everything is written. */
export interface Wording {
  readonly words: BillPreviewLabels;
  readonly locale: string;
  readonly timeZone: string;
  readonly currency: string;
}

export function Heading({ level, children }: { level: number; children: ReactNode }): ReactNode {
  return createElement(`h${Math.min(6, level)}`, { className: "svc-bill-heading" }, children);
}

/** A moment, readable by people and machines. A text that is no moment is shown as it is. */
export function Moment({ at, wording, precise = false }: { at: string; wording: Wording; precise?: boolean }): ReactNode {
  const date = new Date(at);
  if (Number.isNaN(date.getTime())) return at;
  const { locale, timeZone } = wording;
  const style = precise ? ({ dateStyle: "medium", timeStyle: "medium" } as const) : ({ dateStyle: "medium" } as const);
  return <time dateTime={at}>{new Intl.DateTimeFormat(locale, { ...style, timeZone }).format(date)}</time>;
}

/** What a subscriber looks for first: what is owed now. */
export function Amounts({ preview, wording }: { preview: BillPreview; wording: Wording }): ReactNode {
  const { words, locale, currency } = wording;
  const nanos = (text: string) => formatNanos(text, { locale, currency });
  return (
    <dl className="svc-bill-amounts">
      {preview.disclosure === "transparent" && (
        <Fact name={words.receivable} value={nanos(preview.totals.receivableNanos)} main />
      )}
      <Fact name={words.recurringFee} value={formatCents(preview.recurringFeeCents, { locale, currency })} />
      {preview.disclosure === "transparent" && (
        <>
          <Fact name={words.rated} value={nanos(preview.totals.ratedNanos)} />
          <Fact name={words.funded} value={nanos(preview.totals.fundedNanos)} />
        </>
      )}
    </dl>
  );
}

function Fact({ name, value, main = false }: { name: string; value: string; main?: boolean }): ReactNode {
  return (
    <div className={main ? "svc-bill-fact svc-bill-main" : "svc-bill-fact"}>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  );
}
