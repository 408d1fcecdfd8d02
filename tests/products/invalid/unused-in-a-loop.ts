import { Meter, Plan, Product } from "@svc/product";

for (const key of ["tokens", "bytes"]) {
  Meter(`m-${key}`);
//^^^^^^^^^^^^^^^^^ DECORATOR_NOT_APPLIED
}

@Product({ origin: "https://api.example.com" })
export default class Acme {
  @Plan("starter", { limits: { requests: { rate: 60, interval: "minute" } } })
  starter!: void;
}
