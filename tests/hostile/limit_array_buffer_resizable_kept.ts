// row 91: many reservations of address space, none of them used
import { Plan, Product } from "@svc/product";

const kept = [];
for (;;) kept.push(new ArrayBuffer(0, { maxByteLength: 1 << 30 }));
//@ BANNED_API

@Product({ name: "x", origin: "https://api.example.com", displayName: String(kept.length) })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
