import { Feature, Plan, Product } from "@svc/product";

// Each path has its parameters at other places than all the others.
const path = (number: number) =>
  Array.from({ length: 7 }, (_, at) => ((number >> at) & 1 ? `{p${at}}` : `s${number}`)).join("/");
const routes = Object.fromEntries(Array.from({ length: 101 }, (_, number) => [`GET /${path(number)}`, {}]));

@Product({ origin: "https://api.example.com" })
export default class TooManyParameterPlaces {
  @Feature("jobs", { plans: ["starter"], routes })
  jobs!: void;

  @Plan("starter", { limits: { requests: { rate: 60, interval: "minute" } } })
  starter!: void;
}
//? TOO_MANY_DECLARATIONS
