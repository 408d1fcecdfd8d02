// row 12: microtasks counted as a clock tell the same number every time
import { Plan, Product } from "@svc/product";

let jobs = 0;
let done = false;
const count = async () => {
  while (!done) {
    await null;
    jobs++;
  }
};
const counting = count();
for (let i = 0; i < 1000; i++) await i;
done = true;
await counting;
//= ok
@Product({ name: "x", origin: "https://api.example.com", displayName: String(jobs) })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
