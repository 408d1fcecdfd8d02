import { Plan } from "@svc/product";
export function tarif(key: string, rate: number) {
  return Plan(key, { limits: { requests: { rate, interval: "minute" } } });
}
