// equal texts made as rope, slice, number and literal, as keys and in switches
import { Plan, Product, Raw } from "@svc/product";

const made = ["12345678901234567", String(12345678901234567n), ["1234567", "8901234567"].join(""), "x12345678901234567y".slice(1, -1), "1234567890123".concat("4567"), `1234567${"8901234567"}`, String.fromCharCode(...[..."12345678901234567"].map((c) => c.charCodeAt(0))), JSON.parse('"12345678901234567"'), new String("12345678901234567").valueOf(), Object.keys({ "12345678901234567": 1 })[0]];
const counted = {};
for (const text of made) counted[text] = (counted[text] ?? 0) + 1;
const told = [JSON.stringify(counted), String(new Set(made).size), ...made.map((a) => made.map((b) => (a === b && Object.is(a, b) && [a].includes(b) && new Map([[a, 1]]).get(b) === 1 ? "=" : "!")).join("")), made.map((text) => { switch (text) { case "12345678901234567": return "hit"; default: return "miss"; } }).join()];
//= ok
@Product({ name: "x", origin: "https://api.example.com" })
@Raw({ v: told })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
