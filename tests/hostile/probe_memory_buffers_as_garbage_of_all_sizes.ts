// two hundred megabytes of buffers of changing sizes, none kept
import { Plan, Product, Raw } from "@svc/product";

let sum = 0; const told = [];
for (let i = 0; i < 800; i++) { const size = (i * 7919) % 500000; const bytes = new Uint8Array(size); bytes.fill(i); sum += bytes[size >> 1] ?? 0; if (i % 40 === 0) told.push(`${i} ${sum} ${bytes.byteLength}`); }
for (let i = 0; i < 60; i++) { const moved = new ArrayBuffer(3_000_000).transfer(2_000_000); sum += moved.byteLength; if (i % 10 === 0) told.push(`${i} ${sum}`); }
//= ok
@Product({ name: "x", origin: "https://api.example.com" })
@Raw({ v: told })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
