import { Feature, Plan, Product } from "@svc/product";

@Product({ origin: "https://api.example.com" })
export default class StatusCodesArray {
  @Feature("jobs", {
    plans: ["starter"],
    routes: {
      "POST /v1/a": { onStatusCodes: [] },
//                                   ^^ STATUS_CODES_FORM
      "POST /v1/b": { onStatusCodes: [200, 600] },
//                                   ^^^^^^^^^^ STATUS_CODES_FORM
      "POST /v1/c": { onStatusCodes: [200.5] },
//                                   ^^^^^^^ STATUS_CODES_FORM
      "POST /v1/d": { onStatusCodes: ["200"] as never },
//                                   ^^^^^^^ STATUS_CODES_FORM
      "POST /v1/e": { onStatusCodes: [NaN] },
//                                   ^^^^^ STATUS_CODES_FORM
      "POST /v1/f": { onStatusCodes: [-200] },
//                                   ^^^^^^ STATUS_CODES_FORM
    },
  })
  jobs!: void;

  @Plan("starter", { limits: { requests: { rate: 60, interval: "minute" } } })
  starter!: void;
}
