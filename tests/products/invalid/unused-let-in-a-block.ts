import { Meter, Plan, Product } from "@svc/product";

{
  let starter = Plan("starter", { limits: { requests: { rate: 60, interval: "minute" } } });
//              ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ DECORATOR_NOT_APPLIED
}

@Product({ origin: "https://api.example.com" })
export default class Acme {
  @Plan("free", { limits: { requests: { rate: 60, interval: "minute" } } })
  free!: void;
}
