import { Meter, Plan, Product } from "@svc/product";

const prefix = "Job";

@Product({ origin: "https://api.example.com" })
export default class KeyFormComputed {
  @Meter(`${prefix}_runs`)
//       ^^^^^^^^^^^^^^^^ KEY_FORM
  runs!: void;

  @Plan("starter", { limits: { requests: { rate: 60, interval: "minute" } } })
  starter!: void;
}
