// What authors import from `@svc/product`: the decorators, the helpers and every option type.
// Must not know: anything; it only names what the other files export.

export {
  Backend,
  Capability,
  Entitlement,
  Feature,
  Frontend,
  Meter,
  Meters,
  Plan,
  Policy,
  Product,
  Raw,
  Requests,
  Resource,
  Surface,
  Workflow,
} from "./decorators.ts";
export { ProductError } from "./checks.ts";
export { capabilityGrant, creditGrant, display, percent, svc, topUp } from "./helpers.ts";
export type * from "./options.ts";
