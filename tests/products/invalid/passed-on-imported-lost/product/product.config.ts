import { Product } from "@svc/product";
import * as kit from "./kit";

export function lite() {
  @Product({ name: "lite", origin: "https://api.example.com" })
//^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ DECORATOR_NOT_APPLIED
  class Lite {
    @kit.Plan("lite", { limits: { requests: { rate: 60, interval: "minute" } } })
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ DECORATOR_NOT_APPLIED
    lite!: void;
  }
  return Lite;
}

@Product({ origin: "https://api.example.com" })
export default class Acme {
  @kit.Plan("starter", { limits: { requests: { rate: 60, interval: "minute" } } })
  starter!: void;
}
