import { Product } from "@svc/product";
import { svc } from "./kit";

export function lite() {
  @Product({ name: "lite", origin: "https://api.example.com" })
//^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ DECORATOR_NOT_APPLIED
  class Lite {
    @svc.Plan("lite", { limits: { requests: { rate: 60, interval: "minute" } } })
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ DECORATOR_NOT_APPLIED
    lite!: void;
  }
  return Lite;
}

@Product({ origin: "https://api.example.com" })
export default class Acme {
  @svc.Plan("starter", { limits: { requests: { rate: 60, interval: "minute" } } })
  starter!: void;
}
