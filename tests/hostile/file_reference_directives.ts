// row 74: directives that name files in comments are comments
/// <reference path="/etc/passwd" />
/// <reference types="node" />
/// <amd-dependency path="/etc/passwd" />
import { Plan, Product } from "@svc/product";

//= ok product.displayName "x"
@Product({ name: "x", origin: "https://api.example.com", displayName: "x" })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
