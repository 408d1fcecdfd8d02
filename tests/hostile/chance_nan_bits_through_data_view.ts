// row 17: a DataView writes one NaN, whatever the processor computed
import { Plan, Product } from "@svc/product";

const zero = Number("0");
const view = new DataView(new ArrayBuffer(8));
const bits = (value: number) => {
  view.setFloat64(0, value);
  const wide = view.getBigUint64(0).toString(16);
  view.setFloat32(0, value);
  return `${wide}/${view.getUint32(0).toString(16)}`;
};
const all = [NaN, zero / zero, -(zero / zero), Math.sqrt(-1), Infinity - Infinity, Number("x"), +(undefined as any)].map(bits);
//= ok product.displayName "1 7ff8000000000000/7fc00000"
@Product({
  name: "x",
  origin: "https://api.example.com",
  displayName: `${new Set(all).size} ${all[0]}`,
})
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
