// Helpers that build grants and displays: plain fresh objects with a tag that the engine recognises. Whatever options
// they get are carried over as they are, so the engine sees (and refuses) a misspelt one.
// Must not know: rules, decorators, the registry.

import { defineOwn, matches, ownDescriptor, ownKeys, setPrototype } from "./primordials.ts";
import type {
  CapabilityGrant,
  CapabilityGrantOptions,
  CreditGrant,
  CreditGrantOptions,
  MultiplierDisplay,
  MultiplierOptions,
  TopUp,
  TopUpOptions,
} from "./options.ts";

/** Grants a capability, with limits on resources if given: `capabilityGrant("scheduling", { limits: { jobs: 50 } })`. */
export function capabilityGrant(key: string, options?: CapabilityGrantOptions): CapabilityGrant {
  return carry({ type: "capability", capability: key }, options) as CapabilityGrant;
}

/** Grants credit that pays for usage before the subscriber does. */
export function creditGrant(options: CreditGrantOptions): CreditGrant {
  return carry({ type: "credit" }, options) as CreditGrant;
}

/** Offers credit that subscribers can buy. */
export function topUp(options: TopUpOptions): TopUp {
  return carry({ type: "topUp" }, options) as TopUp;
}

/** How an opaque plan shows a grant's balance. */
export const display = Object.freeze({
  /** Shows the balance in units, `factor` of them for the whole grant. */
  multiplier(options: MultiplierOptions): MultiplierDisplay {
    return carry({ kind: "multiplier" }, options) as MultiplierDisplay;
  },
});

export const svc = Object.freeze({ display });

/** A decimal number with at most two digits behind the point. */
const PERCENT = /^(?:0|[1-9][0-9]{0,9})(?:\.[0-9]{1,2})?$/;

/**
 * The `micros` of a share of what a meter counts in cents: `percent("2.9")` is 290, 2.9 % of a cent. The share is a text, since
 * numbers such as 2.9 are not exact; a text that is no such share gives NaN, which the build refuses at its place.
 */
export function percent(share: string): number {
  if (typeof share !== "string" || !matches(PERCENT, share)) return 0 / 0;
  let hundredths = 0;
  let digits = -1;
  for (let i = 0; i < share.length; i++) {
    if (share[i] === ".") digits = 0;
    else {
      hundredths = hundredths * 10 + +(share[i] as string);
      if (digits >= 0) digits++;
    }
  }
  for (let i = digits < 0 ? 0 : digits; i < 2; i++) hundredths *= 10;
  return hundredths;
}

/** Adds the options' own enumerable properties to `target`, as they are: a getter is carried over, not called. */
function carry(target: object, options: unknown): object {
  if (options === undefined) return target;
  if (typeof options !== "object" || options === null) {
    // No option can be read from it; it is kept under a name that is none, for the engine to refuse.
    defineOwn(target, "options", { __proto__: null, value: options, enumerable: true } as PropertyDescriptor);
    return target;
  }
  const keys = ownKeys(options);
  for (let i = 0; i < keys.length; i++) {
    const key = keys[i] as string | symbol;
    const descriptor = ownDescriptor(options, key);
    if (descriptor === undefined || descriptor.enumerable !== true) continue;
    setPrototype(descriptor, null);
    defineOwn(target, key, descriptor);
  }
  return target;
}
