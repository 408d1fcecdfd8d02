// row 77: the tag by which wasm catches the errors of JavaScript
import { Plan, Product } from "@svc/product";

const tag = WebAssembly.JSTag;
//@ BANNED_API

@Product({ name: "x", origin: "https://api.example.com", displayName: String(tag) })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
