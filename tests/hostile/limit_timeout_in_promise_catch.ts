// row 33: the stop as a rejection
import { Plan, Product } from "@svc/product";

const spin = async () => {
  for (;;);
};
await spin().catch(() => {});
//= BUILD_TIMEOUT
@Product({ name: "x", origin: "https://api.example.com" })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
