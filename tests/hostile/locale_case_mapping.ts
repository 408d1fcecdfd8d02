// row 22: case mapping without a locale is Unicode's own, also under a Turkish host
import { Plan, Product } from "@svc/product";

const told = ["\u1e9e".toLowerCase(), "I".toLowerCase(), "i".toUpperCase(), "\ufb00".toUpperCase(), "\u0391\u03a3".toLowerCase(), "\u0130".toLowerCase().length];
//= ok product.displayName "\u00df,i,I,FF,\u03b1\u03c2,2"
@Product({ name: "x", origin: "https://api.example.com", displayName: told.join() })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
