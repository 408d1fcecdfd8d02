import { Plan, Product } from "@svc/product";
import { Kind } from "./types";
//                   ^^^^^^^^^ IMPORT_NOT_FOUND
import { Lib } from "some-library";
//                  ^^^^^^^^^^^^^^ IMPORT_NOT_ALLOWED
const kind: Kind = {} as Lib;
void kind;

@Product({ origin: "https://api.example.com" })
export default class Acme {
  @Plan("starter", { limits: { requests: { rate: 60, interval: "minute" } } })
  starter!: void;
}
