import Goods, { Requests, Tarif, feature, log, metered, svc } from "./kit";

const seen: string[] = [];

@Goods({ origin: "https://api.example.com" })
@svc.Raw({ note: "passed on" })
export default class Acme {
  @Requests() requests!: void;
  @metered("compute") @log(seen) compute!: void;
  @feature("starter") jobs!: void;
  @Tarif("starter", { limits: { requests: { rate: 60, interval: "minute" } } })
  starter!: void;
}
