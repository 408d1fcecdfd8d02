import { Plan, Product } from "@svc/product";

// A namespace that binds its own name inside keeps working.
namespace Z {
  export const Z = 3;
  export const twice = Z * 2;
  export function of(Z: number) {
    return Z + twice;
  }
}

@Product({ origin: "https://api.example.com" })
export default class Acme {
  @Plan("starter", { trialDays: Z.of(Z.Z), limits: { requests: { rate: 60, interval: "minute" } } })
  starter!: void;
}
