import { Plan, Product, Resource } from "@svc/product";

@Product({ origin: "https://api.example.com" })
export default class DuplicateResource {
  @Resource("slots")
  slots!: void;

  @Resource("slots")
//          ^^^^^^^ DUPLICATE_KEY
  places!: void;

  @Plan("starter", { limits: { requests: { rate: 60, interval: "minute" } } })
  starter!: void;
}
