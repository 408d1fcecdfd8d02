export { Backend, Capability, Entitlement, Feature, Frontend, Meter, Meters, Plan, Policy, Product, Raw, Requests, Resource, Surface, Workflow, } from "./decorators.ts";
export { ProductError } from "./checks.ts";
export { capabilityGrant, creditGrant, display, percent, svc, topUp } from "./helpers.ts";
export type * from "./options.ts";
