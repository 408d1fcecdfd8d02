// What was used, a row a rating window.

import type { ReactNode } from "react";
import { formatNanos } from "../money.ts";
import type { PreviewWindow } from "../preview.ts";
import { Heading, Moment, type Wording } from "./parts.tsx";

export function Windows({ windows, wording, level }: { windows: readonly PreviewWindow[]; wording: Wording; level: number }): ReactNode {
  const { words, locale, currency } = wording;
  return (
    <>
      <Heading level={level}>{words.windows}</Heading>
      {windows.length === 0 ? (
        <p className="svc-bill-note">{words.noWindows}</p>
      ) : (
        // Long amounts scroll by themselves instead of widening the page; who uses a keyboard can scroll too.
        <div className="svc-bill-scroll" role="region" aria-label={words.windows} tabIndex={0}>
          <table>
            <thead>
              <tr>
                <th scope="col">{words.window}</th>
                <th scope="col" className="svc-bill-number">{words.charges}</th>
                <th scope="col" className="svc-bill-number">{words.amount}</th>
              </tr>
            </thead>
            <tbody>
              {windows.map((window) => (
                <tr key={window.windowId}>
                  <th scope="row">
                    <Moment at={window.windowStart} wording={wording} /> – <Moment at={window.windowEnd} wording={wording} />
                  </th>
                  <td className="svc-bill-number">{new Intl.NumberFormat(locale).format(window.chargeCount)}</td>
                  <td className="svc-bill-number">{formatNanos(window.ratedNanos, { locale, currency })}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </>
  );
}
