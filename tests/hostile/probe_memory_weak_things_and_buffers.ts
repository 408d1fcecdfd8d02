// buffers held by weak maps only, beside much garbage
import { Plan, Product, Raw } from "@svc/product";

const weak = new WeakMap(); let key = {}; const told = [];
for (let i = 0; i < 300; i++) { key = { i }; weak.set(key, new Uint8Array(200_000).fill(i)); if (i % 20 === 0) told.push(`${i} ${weak.get(key)[199_999]} ${weak.has(key)} ${weak.has({})}`); }
//= ok
@Product({ name: "x", origin: "https://api.example.com" })
@Raw({ v: told })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
