// row 22: normal forms
import { Plan, Product } from "@svc/product";

const told = ["e\u0301".normalize(), "\u00e9".normalize("NFD").length, "\ufb01".normalize("NFKC"), "\u212b".normalize("NFKD").length];
//= ok product.displayName "\u00e9,2,fi,2"
@Product({ name: "x", origin: "https://api.example.com", displayName: told.join() })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
