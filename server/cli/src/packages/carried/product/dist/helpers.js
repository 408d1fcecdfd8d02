// Helpers that build grants and displays: plain fresh objects with a tag that the engine recognises. Whatever options
// they get are carried over as they are, so the engine sees (and refuses) a misspelt one.
// Must not know: rules, decorators, the registry.
import { defineOwn, ownDescriptor, ownKeys, setPrototype } from "./primordials.js";
/** Grants a capability, with limits on resources if given: `capabilityGrant("scheduling", { limits: { jobs: 50 } })`. */
export function capabilityGrant(key, options) {
    return carry({ type: "capability", capability: key }, options);
}
/** Grants credit that pays for usage before the subscriber does. */
export function creditGrant(options) {
    return carry({ type: "credit" }, options);
}
/** Offers credit that subscribers can buy. */
export function topUp(options) {
    return carry({ type: "topUp" }, options);
}
/** How an opaque plan shows a grant's balance. */
export const display = Object.freeze({
    /** Shows the balance in units, `factor` of them for the whole grant. */
    multiplier(options) {
        return carry({ kind: "multiplier" }, options);
    },
});
export const svc = Object.freeze({ display });
/** Adds the options' own enumerable properties to `target`, as they are: a getter is carried over, not called. */
function carry(target, options) {
    if (options === undefined)
        return target;
    if (typeof options !== "object" || options === null) {
        // No option can be read from it; it is kept under a name that is none, for the engine to refuse.
        defineOwn(target, "options", { __proto__: null, value: options, enumerable: true });
        return target;
    }
    const keys = ownKeys(options);
    for (let i = 0; i < keys.length; i++) {
        const key = keys[i];
        const descriptor = ownDescriptor(options, key);
        if (descriptor === undefined || descriptor.enumerable !== true)
            continue;
        setPrototype(descriptor, null);
        defineOwn(target, key, descriptor);
    }
    return target;
}
