import { Meter, Plan, Product } from "@svc/product";

const isOpen = [].length > 0;

@Product({ origin: "https://api.example.com" })
export default class Acme {
  @(isOpen && Meter("compute"))
//^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ DECORATOR_NOT_APPLIED
  compute!: void;

  @Plan("starter", { limits: { requests: { rate: 60, interval: "minute" } } })
  starter!: void;
}
