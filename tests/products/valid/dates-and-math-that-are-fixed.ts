import { Plan, Product } from "@svc/product";

const launch = new Date(Date.UTC(2024, 0, 31));
const rate = Math.max(...[1, 2, 60], launch.getUTCDate());

@Product({ origin: "https://api.example.com" })
export default class DatesAndMathThatAreFixed {
  @Plan("starter", { name: `Since ${launch.toISOString()}`, limits: { requests: { rate, interval: "minute" } } })
  starter!: void;
}
