import { Plan, Product } from "@svc/product";
import "./prices.mts";
//     ^^^^^^^^^^^^^^ IMPORT_NOT_FOUND
import "./prices.cts";
//     ^^^^^^^^^^^^^^ IMPORT_NOT_FOUND
import "./prices.tsx";
//     ^^^^^^^^^^^^^^ IMPORT_NOT_FOUND
import "./prices.jsx";
//     ^^^^^^^^^^^^^^ IMPORT_NOT_FOUND
import "./prices.d.ts";
//     ^^^^^^^^^^^^^^^ IMPORT_NOT_FOUND

@Product({ origin: "https://api.example.com" })
export default class Acme {
  @Plan("starter", { limits: { requests: { rate: 60, interval: "minute" } } })
  starter!: void;
}
