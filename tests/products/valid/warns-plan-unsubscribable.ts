import { Plan, Product } from "@svc/product";

@Product({ origin: "https://api.example.com" })
export default class WarnsPlanUnsubscribable {
  @Plan("old", { limits: { requests: { rate: 60, interval: "minute" } }, legacy: true })
//                                                                       ^^^^^^ PLAN_UNSUBSCRIBABLE
  old!: void;

  @Plan("gone", { limits: { requests: { rate: 60, interval: "minute" } }, selfServeEnabled: true, archive: {} })
//                                                                                                ^^^^^^^ PLAN_UNSUBSCRIBABLE
  gone!: void;

  @Plan("meant", { limits: { requests: { rate: 60, interval: "minute" } }, legacy: true, archive: true, selfServeEnabled: false })
  meant!: void;

  @Plan("by-hand", { limits: { requests: { rate: 60, interval: "minute" } }, selfServeEnabled: false })
  byHand!: void;
}
