import { Meter, Plan, Product } from "@svc/product";

const plan = Plan("starter", { limits: { requests: { rate: 60, interval: "minute" } } });
export const passedOn = Meter("unused");
const make = (key: string) => Meter(key);
const made = { tokens: make("tokens") };
// A local name of the package's is another thing.
const other = ((Plan: (key: string) => number) => {
  Plan("nothing of the package's");
  const free = Plan("nor this");
  return 1;
})((key) => key.length);

@Product({ origin: "https://api.example.com" })
export default class Acme {
  @plan
  starter!: void;
  @made.tokens
  tokens!: void;
  limit = other;
}
