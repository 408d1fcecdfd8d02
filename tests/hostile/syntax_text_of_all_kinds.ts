// row 92: escapes that a printer may write anew
import { Plan, Product } from "@svc/product";

const told = ["\x41\u0042\u{43}\
D", `E
F`, '\'"`${', String.raw`\u{zz}`, "\0|"].join("|");
//= ok product.displayName "ABCD|E\nF|'\"`${|\\u{zz}|\u0000|"
@Product({ name: "x", origin: "https://api.example.com", displayName: told })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
