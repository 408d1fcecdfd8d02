import { Feature, Meter } from "@svc/product";

export * as svc from "@svc/product";
export { Plan as Tarif, Product as default, Requests } from "@svc/product";
export const metered = (key: string) => Meter(key, { unit: "ms" });
export function feature(...plans: string[]) {
  return Feature("jobs", { plans, routes: { "POST /v1/jobs": { reports: "compute" } } });
}
// An author's own, which has nothing to do with products; it is applied and leaves no trace.
export const log = (seen: string[]) => (_target: object, key: string) => void seen.push(key);
