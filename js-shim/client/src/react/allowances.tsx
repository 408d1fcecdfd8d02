// What pays before the subscriber does, an entry a bucket with a bar.

import type { ReactNode } from "react";
import { formatNanos, toNanos } from "../money.ts";
import type { AllowanceDisplay, BillPreview, OpaqueAllowance, TransparentAllowance } from "../preview.ts";
import { Heading, Moment, type Wording } from "./parts.tsx";

export function Allowances({ preview, wording, level }: { preview: BillPreview; wording: Wording; level: number }): ReactNode {
  const { words } = wording;
  const { allowances } = preview;
  return (
    <>
      <Heading level={level}>{words.allowances}</Heading>
      {allowances.length === 0 ? (
        <p className="svc-bill-note">{words.noAllowances}</p>
      ) : (
        <ul className="svc-bill-allowances">
          {allowances.map((allowance, index) => (
            <Allowance key={index} allowance={allowance} wording={wording} />
          ))}
        </ul>
      )}
    </>
  );
}

function Allowance({ allowance, wording }: { allowance: TransparentAllowance | OpaqueAllowance; wording: Wording }): ReactNode {
  const { words } = wording;
  const name = words.kinds[allowance.kind] ?? allowance.kind;
  const { consumedBasisPoints, text, held } = "display" in allowance ? shown(allowance.display, wording) : amounts(allowance, wording);
  return (
    <li>
      <span className="svc-bill-kind">{name}</span> <span className="svc-bill-state">{words.states[allowance.state] ?? allowance.state}</span>
      {consumedBasisPoints !== null && <progress value={consumedBasisPoints} max={10_000} aria-label={name} aria-valuetext={text} />}
      {text !== "" && <span className="svc-bill-left">{text}</span>}
      {held !== "" && <span className="svc-bill-held">{held}</span>}
      {allowance.expiresAt !== null && (
        <span className="svc-bill-expiry">
          {words.expires} <Moment at={allowance.expiresAt} wording={wording} />
        </span>
      )}
    </li>
  );
}

interface Shown {
  /** How much is gone, for the bar; null for no bar. */
  readonly consumedBasisPoints: number | null;
  readonly text: string;
  readonly held: string;
}

function amounts(allowance: TransparentAllowance, { words, locale, currency }: Wording): Shown {
  const nanos = (amount: bigint) => formatNanos(amount, { locale, currency });
  const [remaining, held, consumed] = [toNanos(allowance.remainingNanos), toNanos(allowance.heldNanos), toNanos(allowance.consumedNanos)];
  const all = remaining + held + consumed;
  return {
    consumedBasisPoints: basisPoints(consumed + held, all),
    text: words.left(nanos(remaining), nanos(all)),
    held: held > 0n ? words.held(nanos(held)) : "",
  };
}

function shown(display: AllowanceDisplay, { words, locale }: Wording): Shown {
  switch (display.kind) {
    case "multiplier": {
      const [remaining, consumed] = [hundredths(display.remainingUnits), hundredths(display.consumedUnits)];
      const units = (text: string) => text.replace(".", decimalMark(locale));
      const all = new Intl.NumberFormat(locale, { useGrouping: false, maximumFractionDigits: 20 }).format(display.allowanceUnits);
      return { consumedBasisPoints: basisPoints(consumed, remaining + consumed), text: words.left(units(display.remainingUnits), all), held: "" };
    }
    case "fraction": {
      const { consumedBasisPoints, remainingBasisPoints } = display;
      const percent = new Intl.NumberFormat(locale, { style: "percent", maximumFractionDigits: 2 }).format(remainingBasisPoints / 10_000);
      return { consumedBasisPoints, text: words.leftPercent(percent), held: "" };
    }
    case "unknown":
      return { consumedBasisPoints: null, text: "", held: "" };
  }
}

/** A share, exact until it is a bar's length. An empty allowance is one that is gone. */
function basisPoints(part: bigint, all: bigint): number {
  return all <= 0n ? 10_000 : Number((part * 10_000n) / all);
}

/** Units with two decimals, as an integer. */
function hundredths(units: string): bigint {
  return BigInt(units.replace(".", ""));
}

function decimalMark(locale: string): string {
  return new Intl.NumberFormat(locale).formatToParts(0.5).find(({ type }) => type === "decimal")?.value ?? ".";
}
