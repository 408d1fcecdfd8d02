import { Plan, Product, Raw } from "@svc/product";

@Product({ origin: "https://api.example.com" })
@Raw({ support: "email", meters: [] })
//                       ^^^^^^ RAW_OVER_TYPED
@Raw({ "irVersion": 2 })
//     ^^^^^^^^^^^ RAW_OVER_TYPED
export default class RawOverTyped {
  @Plan("starter", { limits: { requests: { rate: 60, interval: "minute" } } })
  starter!: void;
}
