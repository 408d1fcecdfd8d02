// row 22: property escapes, by the ICU in the binary
import { Plan, Product } from "@svc/product";

const classes = [/\p{L}/u, /\p{Script=Greek}/u, /\p{Emoji}/u, /[\p{L}--[a-z]]/v, /\p{RGI_Emoji}/v, /\u212a/iu];
const letters = ["a", "\u03b1", "1", "\u{1f600}", "k", "\u0378"];
//= ok
@Product({
  name: "x",
  origin: "https://api.example.com",
  displayName: classes.map((pattern) => letters.map((letter) => Number(pattern.test(letter))).join("")).join(),
})
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
