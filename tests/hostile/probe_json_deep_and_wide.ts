// texts of a thousand levels and ten thousand keys through parse and stringify
import { Plan, Product, Raw } from "@svc/product";

const deep = "[".repeat(1000) + "]".repeat(1000); const wide = `{${Array.from({ length: 10000 }, (_, i) => `"k${(i * 7919) % 10007}":${i}`).join()}}`;
let parsed = JSON.parse(deep); let depth = 0; while (parsed.length) { parsed = parsed[0]; depth++; }
const keys = Object.keys(JSON.parse(wide)); let sum = 0; for (const key of keys) sum = (Math.imul(sum, 31) + Number(key.slice(1))) | 0;
const told = [depth, JSON.stringify(JSON.parse(deep)).length, keys.length, sum, keys.slice(0, 8), JSON.stringify(JSON.parse(wide)) === wide, JSON.stringify(JSON.parse(wide), null, 1).length, JSON.stringify(Object.fromEntries(Object.entries(JSON.parse(wide)).sort())).slice(0, 80)].map(String);
//= ok
@Product({ name: "x", origin: "https://api.example.com" })
@Raw({ v: told })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
