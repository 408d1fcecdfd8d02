// row 17: the bits of a NaN, which are the processor's own
import { Plan, Product } from "@svc/product";

const zero = Number("0");
const bits = (value) => new Uint32Array(new Float64Array([value]).buffer).join("-");
//? BANNED_API
@Product({
  name: "x",
  origin: "https://api.example.com",
  displayName: [NaN, zero / zero, -(zero / zero), Math.sqrt(-1), Infinity - Infinity, Number("x")].map(bits).join(),
})
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
