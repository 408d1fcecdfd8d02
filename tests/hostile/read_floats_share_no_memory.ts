// row 17: a part of an array of floats, without a species of the author's
import { Plan, Product } from "@svc/product";

//= ok product.displayName "2,3 0 3 2"
@Product({
  name: "x",
  origin: "https://api.example.com",
  displayName: (() => { const f = new Float64Array([1, 2, 3, 4]); let seen = 0; Object.defineProperty(f, "constructor", { value: { [Symbol.species]: class { constructor() { seen++; } } } }); return `${f.subarray(1, -1).join()} ${seen} ${Float32Array.from([1.5]).map((x) => x * 2)[0]} ${new Float64Array(2).length}`; })(),
})
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
