import { Plan, Product, Resource } from "@svc/product";

@Product({ origin: "https://api.example.com" })
export default class WrongTypeOptionsNull {
  @Resource("slots", null)
//                   ^^^^ WRONG_TYPE
  slots!: void;

  @Plan("starter", { limits: { requests: { rate: 60, interval: "minute" } } })
  starter!: void;
}
