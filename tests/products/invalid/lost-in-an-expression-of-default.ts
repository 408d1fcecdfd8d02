import { Plan, Product } from "@svc/product";

export default (class Acme {
  @Plan("starter", { limits: { requests: { rate: 60, interval: "minute" } } })
//^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ DECORATOR_NOT_APPLIED
  starter!: void;
}) as object;
