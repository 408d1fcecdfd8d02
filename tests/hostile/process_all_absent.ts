// row 23: no name of any host
import { Plan, Product } from "@svc/product";

const told = [
  typeof process, typeof Deno, typeof Bun, typeof require, typeof module, typeof exports, typeof __dirname, typeof __filename,
  typeof global, typeof window, typeof self, typeof navigator, typeof Buffer, typeof fetch, typeof XMLHttpRequest, typeof WebSocket,
  typeof location, typeof document, typeof localStorage, typeof print, typeof read, typeof load, typeof quit, typeof d8, typeof std, typeof os,
];
//= ok product.displayName "undefined"
@Product({ name: "x", origin: "https://api.example.com", displayName: [...new Set(told)].join() })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
