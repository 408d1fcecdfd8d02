import { Plan, Product } from "@svc/product";

@Product({ origin: "https://api.example.com" })
export default class SyntaxErrorText {
//? SYNTAX_ERROR
  @Plan("starter", { name: "Starter, limits: { requests: { rate: 60, interval: "minute" } } })
  starter!: void;
}
