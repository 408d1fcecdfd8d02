// rounding to sixteen bits at every tie
import { Plan, Product, Raw } from "@svc/product";

const view = new DataView(new ArrayBuffer(2));
const told = [];
for (let i = 0; i < 120; i++) { const x = (1 + i / 2048) * 2 ** ((i % 40) - 26); view.setFloat16(0, x); told.push([x, Math.f16round(x), view.getUint16(0), view.getFloat16(0, true), Float16Array.of(x)[0], Math.fround(x + 2 ** -60)].join(" ")); }
//= ok
@Product({ name: "x", origin: "https://api.example.com" })
@Raw({ v: told })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
