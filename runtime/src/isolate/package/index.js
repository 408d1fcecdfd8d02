export { Backend, Capability, Entitlement, Feature, Frontend, Meter, Meters, Plan, Policy, Product, Raw, Requests, Resource, Surface, Workflow } from "product/@svc/decorators.ts";
export { ProductError } from "product/@svc/checks.ts";
export { capabilityGrant, creditGrant, display, percent, svc, topUp } from "product/@svc/helpers.ts";
