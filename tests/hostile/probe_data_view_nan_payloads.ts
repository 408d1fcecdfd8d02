// NaN with payloads, written as bits and read as numbers and as bits again
import { Plan, Product, Raw } from "@svc/product";

const view = new DataView(new ArrayBuffer(8));
const told = [];
for (const bits of [0x7ff8000000000000n, 0xfff8000000000000n, 0x7ff0000000000001n, 0xfff0000000000001n, 0x7fffffffffffffffn, 0xfffffffffff7ffffn, 0xfff7fffffff7ffffn]) {
  view.setBigUint64(0, bits);
  const number = view.getFloat64(0);
  const through = [number, number + 0, -number, Math.abs(number), Math.fround(number), [number][0], Float64Array.of(number)[0], Float32Array.of(number)[0], Math.max(number, 1), number * 0, Math.sqrt(-1), Infinity - Infinity, JSON.parse("1e999") * 0, parseFloat("x"), Number(undefined), Math.min(...Float64Array.of(number))];
  told.push(`${bits.toString(16)} ${through.map((nan) => { view.setFloat64(0, nan); const sixty_four = view.getBigUint64(0); view.setFloat32(0, nan); return `${sixty_four.toString(16)}/${view.getUint32(0).toString(16)}`; }).join(" ")}`);
}
//= ok
@Product({ name: "x", origin: "https://api.example.com" })
@Raw({ v: told })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
