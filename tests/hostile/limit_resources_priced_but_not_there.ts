// row 95: 4,000 prices of resources that are not declared, beside 900 that nearly are
import { Plan, Product, Raw, Resource } from "@svc/product";

const declare: any = (target, name) => {
  for (let i = 0; i < 900; i++) Resource(`resource_number_${i}`)(target, name);
  Plan("many", { limits: { requests: { rate: 1, interval: "day" } }, resources: Object.fromEntries(Array.from({ length: 4000 }, (_, i) => [`resorce_nomber_${i}x`, { amountCents: 1 }])) } as any)(target, name);
};
const told = 1;
//* UNKNOWN_RESOURCE
@Product({ name: "x", origin: "https://api.example.com" })
@Raw({ v: told })
export default class X {
  @declare
  many!: void;
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
