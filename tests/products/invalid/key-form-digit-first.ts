import { Capability, Plan, Product } from "@svc/product";

@Product({ origin: "https://api.example.com" })
export default class KeyFormDigitFirst {
  @Capability("2fa")
//            ^^^^^ KEY_FORM
  twoFactor!: void;

  @Plan("starter", { limits: { requests: { rate: 60, interval: "minute" } } })
  starter!: void;
}
