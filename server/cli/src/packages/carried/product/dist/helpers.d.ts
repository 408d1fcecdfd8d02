import type { CapabilityGrant, CapabilityGrantOptions, CreditGrant, CreditGrantOptions, MultiplierDisplay, MultiplierOptions, TopUp, TopUpOptions } from "./options.ts";
/** Grants a capability, with limits on resources if given: `capabilityGrant("scheduling", { limits: { jobs: 50 } })`. */
export declare function capabilityGrant(key: string, options?: CapabilityGrantOptions): CapabilityGrant;
/** Grants credit that pays for usage before the subscriber does. */
export declare function creditGrant(options: CreditGrantOptions): CreditGrant;
/** Offers credit that subscribers can buy. */
export declare function topUp(options: TopUpOptions): TopUp;
/** How an opaque plan shows a grant's balance. */
export declare const display: Readonly<{
    /** Shows the balance in units, `factor` of them for the whole grant. */
    multiplier(options: MultiplierOptions): MultiplierDisplay;
}>;
export declare const svc: Readonly<{
    display: Readonly<{
        /** Shows the balance in units, `factor` of them for the whole grant. */
        multiplier(options: MultiplierOptions): MultiplierDisplay;
    }>;
}>;
/**
 * The `micros` of a share of what a meter counts in cents: `percent("2.9")` is 290, 2.9 % of a cent. The share is a text, since
 * numbers such as 2.9 are not exact; a text that is no such share gives NaN, which the build refuses at its place.
 */
export declare function percent(share: string): number;
