// `.js` files beside `.ts`: the same text read as two languages
import { Plan, Product, Raw } from "@svc/product";
import * as js from "./code.js";
import * as ts from "./typed";

const told = [js, ts].flatMap((m) => Object.entries(m).map(([key, value]) => `${key} ${String(key === "K" || key === "arrow" ? typeof value : value)}`)).concat(Reflect.ownKeys(js).map(String).join());
//= ok
@Product({ name: "x", origin: "https://api.example.com" })
@Raw({ v: told })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
