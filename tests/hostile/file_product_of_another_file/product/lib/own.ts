import { Plan, Product } from "@svc/product";

@Product({ name: "x", origin: "https://api.example.com", displayName: "own" })
export class Own {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
