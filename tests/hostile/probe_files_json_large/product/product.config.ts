// a JSON module of ten thousand members, and its checksum
import { Plan, Product, Raw } from "@svc/product";
import data from "./data.json" with { type: "json" };

let sum = 0;
for (const [key, value] of Object.entries(data as any)) { sum = (Math.imul(sum, 31) + Number(key.slice(1)) + ((value as any).n | 0)) | 0; }
const told = [String(sum), String(Object.keys(data).length), JSON.stringify(data).slice(0, 200), String(JSON.stringify(data).length)];
//= ok
@Product({ name: "x", origin: "https://api.example.com" })
@Raw({ v: told })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
