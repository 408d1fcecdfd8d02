import { Plan, Product } from "@svc/product";
import "./shelf";
//     ^^^^^^^^^ IMPORT_NOT_FOUND
import ".";
//     ^^^ IMPORT_NOT_ALLOWED
import "./lib/";
//     ^^^^^^^^ IMPORT_NOT_ALLOWED
import "..";
//     ^^^^ IMPORT_NOT_ALLOWED

@Product({ origin: "https://api.example.com" })
export default class Acme {
  @Plan("starter", { limits: { requests: { rate: 60, interval: "minute" } } })
  starter!: void;
}
