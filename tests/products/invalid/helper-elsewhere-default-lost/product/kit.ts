import { Plan } from "@svc/product";
export default (key: string) => Plan(key, { limits: { requests: { rate: 60, interval: "minute" } } });
