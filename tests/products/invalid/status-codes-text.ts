import { Feature, Plan, Product } from "@svc/product";

@Product({ origin: "https://api.example.com" })
export default class StatusCodesText {
  @Feature("jobs", {
    plans: ["starter"],
    routes: {
      "POST /v1/a": { onStatusCodes: "2xx" },
//                                   ^^^^^ STATUS_CODES_FORM
      "POST /v1/b": { onStatusCodes: "" },
//                                   ^^ STATUS_CODES_FORM
      "POST /v1/c": { onStatusCodes: "200-" },
//                                   ^^^^^^ STATUS_CODES_FORM
      "POST /v1/d": { onStatusCodes: "299-200" },
//                                   ^^^^^^^^^ STATUS_CODES_FORM
      "POST /v1/e": { onStatusCodes: "200,,404" },
//                                   ^^^^^^^^^^ STATUS_CODES_FORM
      "POST /v1/f": { onStatusCodes: "200;404" },
//                                   ^^^^^^^^^ STATUS_CODES_FORM
      "POST /v1/g": { onStatusCodes: "99" },
//                                   ^^^^ STATUS_CODES_FORM
      "POST /v1/h": { onStatusCodes: "200-600" },
//                                   ^^^^^^^^^ STATUS_CODES_FORM
      "POST /v1/i": { onStatusCodes: "0200" },
//                                   ^^^^^^ STATUS_CODES_FORM
    },
  })
  jobs!: void;

  @Plan("starter", { limits: { requests: { rate: 60, interval: "minute" } } })
  starter!: void;
}
