import { Plan } from "@svc/product";
export const tarif = (key: string) => Plan(key, { limits: { requests: { rate: 60, interval: "minute" } } });
