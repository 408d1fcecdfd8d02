import { Meter, Plan, Product } from "@svc/product";

for (let i = 0; i < 600; i++) Meter("m")({} as never, "x" as never);
//? DECORATOR_MISUSE

@Product({ origin: "https://api.example.com" })
export default class Acme {
  @Plan("starter", { limits: { requests: { rate: 60, interval: "minute" } } })
  starter!: void;
}
