// JSON modules of every kind, imported twice by names of the same file
import { Plan, Product, Raw } from "@svc/product";
import list from "./data/list.json" with { type: "json" };
import again from "./data/../data/list.json" with { type: "json" };
import object from "./data/object.json" with { type: "json" };
import text from "./data/text.json" with { type: "json" };
import nothing from "./data/null.json" with { type: "json" };
import * as all from "./data/number.json" with { type: "json" };

const told = [JSON.stringify(list), String(list === again), JSON.stringify(object), Object.keys(object).join("|"), JSON.stringify(text), String(nothing), Reflect.ownKeys(all).map(String).join(), String(Object.is(all.default, -0)), typeof all.default, String(Object.getPrototypeOf(object) === Object.prototype), String(Array.isArray(list)), String(Object.isFrozen(list)), JSON.stringify(Object.getOwnPropertyDescriptor(object, "__proto__")), JSON.stringify((() => { list.push("pushed"); return again; })())];
//= ok
@Product({ name: "x", origin: "https://api.example.com" })
@Raw({ v: told })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
