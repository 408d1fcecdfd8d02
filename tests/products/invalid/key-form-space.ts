import { Plan, Product, Resource } from "@svc/product";

@Product({ origin: "https://api.example.com" })
export default class KeyFormSpace {
  @Resource("build slots")
//          ^^^^^^^^^^^^^ KEY_FORM
  slots!: void;

  @Plan("starter", { limits: { requests: { rate: 60, interval: "minute" } } })
  starter!: void;
}
