import { Plan, Product, Raw } from "@svc/product";

@Product({ origin: "https://api.example.com" })
@Raw(["support"])
//   ^^^^^^^^^^^ WRONG_TYPE
export default class WrongTypeRaw {
  @Plan("starter", { limits: { requests: { rate: 60, interval: "minute" } } })
  starter!: void;
}
