import { Plan, Product } from "@svc/product";

const tools = {
  limit: 1,
  limit() {},
//^^^^^ KEY_WRITTEN_TWICE
  get rate() {
    return 1;
  },
  rate: 1,
//^^^^ KEY_WRITTEN_TWICE
  get rate() {
//    ^^^^ KEY_WRITTEN_TWICE
    return 2;
  },
};
void tools;

@Product({ origin: "https://api.example.com" })
export default class Acme {
  @Plan("starter", { limits: { requests: { rate: 60, interval: "minute" } } })
  starter!: void;
}
