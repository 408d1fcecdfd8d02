import { Plan, Product, Resource } from "@svc/product";

@Product({ origin: "https://api.example.com" })
export default class KeyProtoComputed {
  @Resource("slots")
  slots!: void;

  @Plan("starter", {
    limits: { requests: { rate: 60, interval: "minute" } },
    caps: { slots: 5, ["__proto__"]: 1 },
//                     ^^^^^^^^^^^ KEY_FORM
  })
  starter!: void;
}
