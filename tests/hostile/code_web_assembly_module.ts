// row 77: code in another form
import { Plan, Product } from "@svc/product";

const module = new WebAssembly.Module(new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0]));
//@ BANNED_API

@Product({ name: "x", origin: "https://api.example.com", displayName: String(module) })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
