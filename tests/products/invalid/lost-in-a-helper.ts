import { Meter, Plan, Product } from "@svc/product";

const isOpen = [].length > 0;
const unit = (key: string): PropertyDecorator => (isOpen ? (Meter(key) as PropertyDecorator) : () => {});

@Product({ origin: "https://api.example.com" })
export default class Acme {
  @unit("compute")
//^^^^^^^^^^^^^^^^ DECORATOR_NOT_APPLIED
  compute!: void;

  @Plan("starter", { limits: { requests: { rate: 60, interval: "minute" } } })
  starter!: void;
}
