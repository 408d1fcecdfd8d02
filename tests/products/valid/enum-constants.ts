import { Plan, Product } from "@svc/product";

// Members are what the language computes, and texts have no entry back.

const prefix = "plan_";
enum Odd {
  Plus = +"5",
  Minus = -"5",
  Not = ~"5",
  Word = +"five",
  Power = 2 ** 10,
  After,
  Zero = -0,
  Half = "\ud800".length,
  Alias = -Power,
}
enum Text {
  Key = prefix + "starter",
  Named = `${prefix}growth`,
  Plain = "scale",
  Same = Plain,
  Of = `${Odd.Power}`,
  Cast = "cast" as string,
}
const told = (value: object) =>
  JSON.stringify(Object.entries(value).map(([key, value]) => [key, Object.is(value, -0) ? "-0" : String(value)]));

@Product({ origin: "https://api.example.com", displayName: told(Odd), description: told(Text) })
export default class Acme {
  @Plan("starter", { limits: { requests: { rate: 60, interval: "minute" } } })
  starter!: void;
}
