import { Feature, Meter, Plan, Product } from "@svc/product";
import type { Interval, MeterOptions, PlanOptions } from "@svc/product";

enum Cents {
  Starter = 1_900,
  Growth = Starter * 5,
}

const enum Key {
  Compute = "compute",
}

interface Named<T extends string = string> {
  readonly key: T;
}

type Rate<I extends Interval> = { rate: number; interval: I };

abstract class Priced<T> {
  declare protected readonly price: T;
  abstract describe(this: Priced<T>): asserts this is Priced<T>;
}

namespace rates {
  export const perMinute = <N extends number>(rate: N): Rate<"minute"> => ({ rate, interval: "minute" as const });
}

declare const unused: unique symbol;

const meter = { unit: "ms" } satisfies MeterOptions;
const starter: Named<"starter"> = { key: "starter" };

function plan(this: void, cents: Cents, rate?: number): PlanOptions;
function plan(cents: Cents, rate: number = 60): PlanOptions {
  return {
    price: { amount: cents as number, currency: "usd", interval: <const>"month" },
    limits: { requests: rates.perMinute(rate!) },
  };
}

@Product({ origin: "https://api.example.com" } as const)
export default class TypescriptOnly extends (Object as unknown as { new (): object }) {
  @Meter(Key.Compute, meter)
  public readonly compute!: number;

  @Feature("jobs", { plans: [starter.key], routes: { "POST /v1/jobs": { reports: Key.Compute } } })
  protected jobs?: unknown;

  @Plan(starter.key, plan(Cents.Starter))
  starter!: void;

  @Plan("growth", plan(Cents.Growth, 600) satisfies PlanOptions)
  growth!: void;

  [index: string]: unknown;
}

export type { Named };
