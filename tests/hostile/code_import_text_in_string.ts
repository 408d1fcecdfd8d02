// row 74: text that looks like an import is text
import { Plan, Product } from "@svc/product";

//= ok product.displayName "import('node:fs') import.meta /import(x)/"
@Product({
  name: "x",
  origin: "https://api.example.com",
  displayName: "import('node:fs') import.meta " + String(/import(x)/),
})
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
