import { defineOwn, ownDescriptor, ownKeys, setPrototype } from "product/@svc/primordials.ts";
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
