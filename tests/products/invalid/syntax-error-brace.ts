import { Plan, Product } from "@svc/product";

//? SYNTAX_ERROR

@Product({ origin: "https://api.example.com" })
export default class SyntaxErrorBrace {
  @Plan("starter", { limits: { requests: { rate: 60, interval: "minute" } )
  starter!: void;
}
