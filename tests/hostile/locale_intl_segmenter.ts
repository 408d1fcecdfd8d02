// row 22: word breaks change with the Unicode version
import { Plan, Product } from "@svc/product";

const words = [...new Intl.Segmenter("th", { granularity: "word" }).segment("x")];
//@ BANNED_API

@Product({ name: "x", origin: "https://api.example.com", displayName: String(words.length) })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
