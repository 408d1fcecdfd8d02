// row 77: asynchronously
import { Plan, Product } from "@svc/product";

const made = await WebAssembly.instantiate(new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0]));
//@ BANNED_API

@Product({ name: "x", origin: "https://api.example.com", displayName: String(made) })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
