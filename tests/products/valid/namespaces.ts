import { Plan, Product } from "@svc/product";

// What TypeScript makes of a namespace, where it is one block and its variables keep their values.

namespace Cents {
  export const base = 1_000;
  export const starter = base + 900;
  export const { growth, scale = 9_900 } = { growth: 4_900 } as { growth: number; scale?: number };
  let calls = 0;
  export function count() {
    return ++calls;
  }
  export namespace Yearly {
    export const starter = Cents.starter * 10;
  }
  export import yearly = Yearly.starter;
}
namespace Deep.Down {
  export let at = "deep";
  export var unset: string;
}
class Money {
  constructor(readonly cents: number, private readonly times = 2) {}
  accessor twice = 0;
  total() {
    return this.cents * this.times + this.twice;
  }
}
namespace Money {
  export const of = (cents: number) => new Money(cents);
}
function limits(rate: number) {
  return { requests: { rate, interval: limits.interval } } as const;
}
namespace limits {
  export const interval = "minute" as const;
}
enum Tier {
  Free,
  Paid,
}
namespace Tier {
  export const of = (cents: number) => (cents > 0 ? Tier.Paid : Tier.Free);
}
namespace Types {
  export type Name = string;
}
namespace Types {
  export interface Named {
    name: Types.Name;
  }
}
Cents.count();

@Product({ origin: "https://api.example.com", displayName: `${Deep.Down.at} ${Tier[1]} ${Object.keys(Cents).join()}` })
export default class Acme {
  @Plan("growth", {
    price: { amount: Cents.growth + Cents.scale, currency: "usd", interval: "month" },
    limits: limits(Cents.yearly),
  })
  growth!: void;

  @Plan("starter", { price: { amount: Money.of(Cents.starter).total() + Cents.count() + Tier.of(1), currency: "usd", interval: "month" }, limits: limits(60) })
  starter!: void;
}
