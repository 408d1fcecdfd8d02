// row 54: an enum's constants are what the language computes, and texts have no entry back
import { Plan, Product } from "@svc/product";

enum Odd {
  Nothing = 1 ** NaN,
  Endless = (-1) ** Infinity,
  Half = "\ud800",
  Mixed = `${"\udc00"}x`,
  Five = +"5",
}
const told = [Odd.Nothing, Odd.Endless, Odd.Half.charCodeAt(0), Odd.Mixed.length, typeof Odd.Five, Object.keys(Odd)].join();
//= ok product.displayName "NaN,NaN,55296,2,number,5,Nothing,NaN,Endless,Half,Mixed,Five"
@Product({ name: "x", origin: "https://api.example.com", displayName: told })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
