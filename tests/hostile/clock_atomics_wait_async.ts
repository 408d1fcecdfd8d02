// row 12: a timer made of shared memory
import { Plan, Product } from "@svc/product";

const cell = new Int32Array(new SharedArrayBuffer(4));
//@ BANNED_API
Atomics.waitAsync(cell, 0, 0, 1).value.then(() => {});

@Product({ name: "x", origin: "https://api.example.com" })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
