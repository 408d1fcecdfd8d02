import { Meter, Plan, Product } from "@svc/product";

// What counts is that each decorator was applied, by whatever way.
const isOpen = Number("1") > 0;
const unit = (key: string) => Meter(key, { unit: "ms" });
function plan(key: string) {
  return Plan(key, { limits: { requests: { rate: 1, interval: "minute" } } });
}
const unused = (key: string) => Meter(key);
const either = { open: Plan, closed: Meter };
const name = ["com", "puted"].join("");
const silent = (_target: unknown, _key?: unknown) => {};
void either;
export { unused };

@Product({ origin: "https://api.example.com" })
export default class Acme {
  @unit("compute")
  compute!: void;

  @unit("storage")
  @silent
  storage!: void;

  @(isOpen ? plan("open") : plan("closed"))
  open!: void;

  @Meter("by-name")
  [name]!: void;

  @Plan("starter", { limits: { requests: { rate: 60, interval: "minute" } } })
  starter!: void;
}
