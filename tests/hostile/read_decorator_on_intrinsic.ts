// row 56: a decorator called on a built-in class declares nothing for anybody else
import { Plan, Product } from "@svc/product";

Plan("loose")(Object.prototype, "loose");
//= ok plans [{"capabilities":[],"capabilityLimits":{},"currency":"usd","featureGates":{},"grants":[],"interval":"month","key":"free","legacy":false,"limits":[{"dimension":"requests","enforcement":"enforce","interval":"minute","rate":1}],"meters":[],"name":"free","overageBehavior":"allow_and_bill","raw":{},"recurringFeeCents":0,"selfServeEnabled":true,"spendPolicy":{"disclosure":"transparent"},"trialDays":0}]
@Product({ name: "x", origin: "https://api.example.com" })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
