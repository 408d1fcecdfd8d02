import { Product } from "@svc/product";
import Tarif from "./kit";

export function lite() {
  @Product({ name: "lite", origin: "https://api.example.com" })
//^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ DECORATOR_NOT_APPLIED
  class Lite {
    @Tarif("lite", { limits: { requests: { rate: 60, interval: "minute" } } })
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ DECORATOR_NOT_APPLIED
    lite!: void;
  }
  return Lite;
}

@Product({ origin: "https://api.example.com" })
export default class Acme {
  @Tarif("starter", { limits: { requests: { rate: 60, interval: "minute" } } })
  starter!: void;
}
