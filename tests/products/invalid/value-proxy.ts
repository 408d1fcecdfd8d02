import { Plan, Product, Raw } from "@svc/product";

@Product({ origin: "https://api.example.com" })
@Raw({
  trap: new Proxy(
    {},
    {
      ownKeys() {
        throw new Error("no keys for you");
      },
    },
  ),
//~ 5:9-12:4 VALUE_NOT_PLAIN
})
export default class ValueProxy {
  @Plan("starter", { limits: { requests: { rate: 60, interval: "minute" } } })
  starter!: void;
}
