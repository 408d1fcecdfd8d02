// what every intrinsic has: names, lengths, own keys and kinds of descriptors
import { Plan, Product, Raw } from "@svc/product";

const told = [];
for (const name of Reflect.ownKeys(globalThis).filter((k) => typeof k === "string").sort()) { const v = globalThis[name]; if ((typeof v !== "object" && typeof v !== "function") || v === null || v === globalThis) { told.push(`${name} ${String(v)}`); continue; } told.push(`${name} ${Reflect.ownKeys(v).map(String).join()} ${v.prototype ? Reflect.ownKeys(v.prototype).map((k) => { const d = Reflect.getOwnPropertyDescriptor(v.prototype, k); return `${String(k)}:${"value" in d ? "v" : d.get ? (d.set ? "gs" : "g") : "s"}${typeof d.value === "function" ? d.value.length : ""}${d.writable ? "w" : ""}${d.enumerable ? "e" : ""}${d.configurable ? "c" : ""}`; }).join() : ""}`); }
//= ok
@Product({ name: "x", origin: "https://api.example.com" })
@Raw({ v: told })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
