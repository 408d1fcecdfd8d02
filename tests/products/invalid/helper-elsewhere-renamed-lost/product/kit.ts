import { Plan } from "@svc/product";
function make(key: string) {
  return Plan(key, { limits: { requests: { rate: 60, interval: "minute" } } });
}
export { make as tarif };
