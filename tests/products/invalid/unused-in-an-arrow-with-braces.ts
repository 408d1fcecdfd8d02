import { Meter, Plan, Product } from "@svc/product";

const declare = () => {
  Meter("tokens");
//^^^^^^^^^^^^^^^ DECORATOR_NOT_APPLIED
};
declare();

@Product({ origin: "https://api.example.com" })
export default class Acme {
  @Plan("starter", { limits: { requests: { rate: 60, interval: "minute" } } })
  starter!: void;
}
