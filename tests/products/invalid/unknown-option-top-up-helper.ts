import { Plan, Product, topUp } from "@svc/product";

@Product({ origin: "https://api.example.com" })
export default class UnknownOptionTopUpHelper {
  @Plan("starter", {
    limits: { requests: { rate: 60, interval: "minute" } },
    grants: [topUp({ sku: "pack-10", label: "Ten dollars", priceCents: 1000, creditCents: 1000, creditcents: 1 })],
//                                                                                              ^^^^^^^^^^^ UNKNOWN_OPTION
  })
  starter!: void;
}
