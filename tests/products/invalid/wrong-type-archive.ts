import { Plan, Product } from "@svc/product";

@Product({ origin: "https://api.example.com" })
export default class WrongTypeArchive {
  @Plan("starter", { limits: { requests: { rate: 60, interval: "minute" } }, archive: "publish" })
//                                                                                    ^^^^^^^^^ WRONG_TYPE
  starter!: void;
}
