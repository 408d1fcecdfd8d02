import { Plan, Product } from "@svc/product";

function options() {
  return [{ inner: { a: 1, a: 2, a: 3 } }];
//                         ^ KEY_WRITTEN_TWICE
//                               ^ KEY_WRITTEN_TWICE
}
void options;

@Product({ origin: "https://api.example.com" })
export default class Acme {
  @Plan("starter", { limits: { requests: { rate: 60, interval: "minute" } } })
  starter!: void;
}
