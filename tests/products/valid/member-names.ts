import { Meter, Plan, Product } from "@svc/product";

// A plan's name is its member's; computed and quoted members have names too.

@Product({ origin: "https://api.example.com" })
export default class MemberNames {
  @Plan("quoted", { limits: { requests: { rate: 60, interval: "minute" } } })
  "Quoted Plan"!: void;

  @Plan("computed", { limits: { requests: { rate: 60, interval: "minute" } } })
  ["computed plan"]!: void;

  @Meter("private-by-type")
  private hidden!: void;

  @Meter("readonly-field")
  readonly fixed = 1;
  @Meter("declared")
  protected optional?: number;
}
