import { Meter, Plan, Product } from "@svc/product";

const both = (key: string) => (target: object, name: string) => {
  Meter(`${key}-in`, { unit: "token" })(target, name);
  Meter(`${key}-out`, { estimate: -1 })(target, name);
};

@Product({ origin: "https://api.example.com" })
export default class Acme {
  @both("m")
//^^^^^^^^^^ NUMBER_RANGE
  m!: void;
  @Plan("starter", { limits: { requests: { rate: -1, interval: "minute" } } })
//                                               ^^ NUMBER_RANGE
  starter!: void;
}
