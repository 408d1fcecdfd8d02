"use client";
// `<BillPreview/>`: either shape of the bill as a page's section.

import type { ReactNode } from "react";
import { Allowances } from "./allowances.tsx";
import { Amounts, Heading, Moment, type Wording } from "./parts.tsx";
import { ENGLISH, type BillPreviewLabels } from "./labels.ts";
import { useBillPreview, type BillPreviewResult, type UseBillPreviewOptions } from "./use-bill-preview.ts";
import { Windows } from "./windows.tsx";

export interface BillPreviewViewOptions {
  /**
   * A BCP 47 tag for amounts and moments. Default `en-US`; the same on server and page, or hydration differs.
   *
   * ```tsx
   * <BillPreview locale="de-DE" labels={german} />
   * ```
   */
  locale?: string;
  /**
   * An IANA time zone for moments. Default `UTC`, in which periods begin and end.
   *
   * ```tsx
   * <BillPreview timeZone="Europe/Berlin" />
   * ```
   */
  timeZone?: string;
  /**
   * Words in place of the English ones.
   *
   * ```tsx
   * <BillPreview labels={{ title: "Ihre Rechnung bisher" }} />
   * ```
   */
  labels?: Partial<BillPreviewLabels>;
  /**
   * Level of the section's heading, 1 to 5; those in it are one deeper. Default 2.
   *
   * ```tsx
   * <BillPreview headingLevel={3} />
   * ```
   */
  headingLevel?: 1 | 2 | 3 | 4 | 5;
  /**
   * Beside `svc-bill`, for your own styles.
   *
   * ```tsx
   * <BillPreview className="card" />
   * ```
   */
  className?: string;
}

export interface BillPreviewProps extends UseBillPreviewOptions, BillPreviewViewOptions {}

/**
 * Fetches and shows the subscriber's bill. Import `@svc/client-js/react/bill-preview.css`, or style the classes yourself.
 *
 * ```tsx
 * <SvcProvider svc={svc}><BillPreview refetchInterval={60_000} /></SvcProvider>
 * ```
 */
export function BillPreview(props: BillPreviewProps): ReactNode {
  const { locale, timeZone, labels, headingLevel, className, ...options } = props;
  const view = { locale, timeZone, labels, headingLevel, className };
  return <BillPreviewView {...(view as BillPreviewViewOptions)} bill={useBillPreview(options)} />;
}

export interface BillPreviewViewProps extends BillPreviewViewOptions {
  /**
   * What the hook returned.
   *
   * ```tsx
   * <BillPreviewView bill={useBillPreview()} />
   * ```
   */
  bill: BillPreviewResult;
}

/** Shows a bill that you have fetched yourself with `useBillPreview`. */
export function BillPreviewView(props: BillPreviewViewProps): ReactNode {
  const { bill, locale = "en-US", timeZone = "UTC", labels, headingLevel = 2, className } = props;
  const { data, error, isFetching, dataUpdatedAt, refetch } = bill;
  const words: BillPreviewLabels = { ...ENGLISH, ...labels };
  const wording: Wording = { words, locale, timeZone, currency: data?.currency ?? "usd" };
  const retry = (
    <button type="button" className="svc-bill-retry" onClick={() => void refetch()}>
      {words.retry}
    </button>
  );
  return (
    <section className={className === undefined ? "svc-bill" : `svc-bill ${className}`} aria-label={words.title} aria-busy={isFetching}>
      <Heading level={headingLevel}>{words.title}</Heading>
      {data === null && error === null && <p role="status">{words.loading}</p>}
      {data === null && error !== null && (
        <div role="alert" className="svc-bill-failed">
          <p>{words.failed}</p>
          {retry}
        </div>
      )}
      {data !== null && error !== null && (
        <div role="status" className="svc-bill-stale">
          <p>
            {words.stale} {dataUpdatedAt > 0 ? <Moment at={new Date(dataUpdatedAt).toISOString()} wording={wording} precise /> : "?"}
          </p>
          {retry}
        </div>
      )}
      {data !== null && <Amounts preview={data} wording={wording} />}
      {data?.disclosure === "transparent" && <Windows windows={data.windows} wording={wording} level={headingLevel + 1} />}
      {data !== null && <Allowances preview={data} wording={wording} level={headingLevel + 1} />}
      {data?.disclosure === "opaque" && <p className="svc-bill-note">{words.opaque}</p>}
    </section>
  );
}
