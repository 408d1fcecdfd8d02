import { Plan, Product } from "@svc/product";

//? SYNTAX_ERROR
const rate: = 60;

@Product({ origin: "https://api.example.com" })
export default class SyntaxErrorType {
  @Plan("starter", { limits: { requests: { rate, interval: "minute" } } })
  starter!: void;
}
