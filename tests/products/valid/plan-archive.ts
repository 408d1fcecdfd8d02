import { Plan, Product } from "@svc/product";

@Product({ origin: "https://api.example.com" })
export default class PlanArchive {
  @Plan("gone", { limits: { requests: { rate: 60, interval: "minute" } }, archive: true })
//                                                                        ^^^^^^^ PLAN_UNSUBSCRIBABLE
  gone!: void;

  @Plan("kept", { limits: { requests: { rate: 60, interval: "minute" } }, archive: false })
  kept!: void;

  @Plan("at-publish", { limits: { requests: { rate: 60, interval: "minute" } }, archive: { at: "publish" } })
//                                                                              ^^^^^^^ PLAN_UNSUBSCRIBABLE
  atPublish!: void;

  @Plan("by-default", { limits: { requests: { rate: 60, interval: "minute" } }, archive: {} })
//                                                                              ^^^^^^^ PLAN_UNSUBSCRIBABLE
  byDefault!: void;
}
