import { Frontend, Plan, Product } from "@svc/product";

const nav = Array.from({ length: 1_001 }, (_, number) => ({ label: `Shelf ${number}`, path: `/shelves/${number}` }));

@Product({ origin: "https://api.example.com" })
@Frontend({ nav })
export default class TooManyNavEntries {
  @Plan("starter", { limits: { requests: { rate: 60, interval: "minute" } } })
  starter!: void;
}
//? TOO_MANY_DECLARATIONS
