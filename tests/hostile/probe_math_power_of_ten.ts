// powers of ten by three ways, from -330 to 310
import { Plan, Product, Raw } from "@svc/product";

const told = [];
for (let e = -330; e <= 310; e += 5) told.push([10 ** e, Math.pow(10, e), Number(`1e${e}`), 10 ** e === Number(`1e${e}`)].join(" "));
//= ok
@Product({ name: "x", origin: "https://api.example.com" })
@Raw({ v: told })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
