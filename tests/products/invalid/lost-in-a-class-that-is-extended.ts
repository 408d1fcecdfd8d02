import { Meter, Plan, Product } from "@svc/product";

const Base = class {
  @Meter("compute")
//^^^^^^^^^^^^^^^^^ DECORATOR_NOT_APPLIED
  compute!: void;
};

@Product({ origin: "https://api.example.com" })
export default class Acme extends Base {
  @Plan("starter", { limits: { requests: { rate: 60, interval: "minute" } } })
  starter!: void;
}
