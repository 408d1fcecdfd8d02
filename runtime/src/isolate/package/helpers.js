import { defineOwn, matches, ownDescriptor, ownKeys, setPrototype } from "product/@svc/primordials.ts";
export function capabilityGrant(key, options) {
 return carry({
  type: "capability",
  capability: key
 }, options);
}
export function creditGrant(options) {
 return carry({ type: "credit" }, options);
}
export function topUp(options) {
 return carry({ type: "topUp" }, options);
}
export const display = Object.freeze({ multiplier(options) {
 return carry({ kind: "multiplier" }, options);
} });
export const svc = Object.freeze({ display });
const PERCENT = /^(?:0|[1-9][0-9]{0,9})(?:\.[0-9]{1,2})?$/;
export function percent(share) {
 if (typeof share !== "string" || !matches(PERCENT, share)) return 0 / 0;
 let hundredths = 0;
 let digits = -1;
 for (let i = 0; i < share.length; i++) {
  if (share[i] === ".") digits = 0;
  else {
   hundredths = hundredths * 10 + +share[i];
   if (digits >= 0) digits++;
  }
 }
 for (let i = digits < 0 ? 0 : digits; i < 2; i++) hundredths *= 10;
 return hundredths;
}
function carry(target, options) {
 if (options === undefined) return target;
 if (typeof options !== "object" || options === null) {
  defineOwn(target, "options", {
   __proto__: null,
   value: options,
   enumerable: true
  });
  return target;
 }
 const keys = ownKeys(options);
 for (let i = 0; i < keys.length; i++) {
  const key = keys[i];
  const descriptor = ownDescriptor(options, key);
  if (descriptor === undefined || descriptor.enumerable !== true) continue;
  setPrototype(descriptor, null);
  defineOwn(target, key, descriptor);
 }
 return target;
}
