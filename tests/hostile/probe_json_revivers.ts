// revivers: order, holder, deletion, changes under way, source texts
import { Plan, Product, Raw } from "@svc/product";

const attempt = (run) => {
  try {
    return String(run());
  } catch (error) {
    return `${error.name}: ${error.message}`;
  }
};
const log = [];
const text = '{"b":[1,2,{"c":null}],"a":"x","2":1e2,"n":-0,"big":12345678901234567890}';
const told = [JSON.stringify(JSON.parse(text, function (k, v, context) { log.push(`${k} ${JSON.stringify(this).length} ${JSON.stringify(v)} ${context?.source}`); return v; })), JSON.stringify(JSON.parse(text, (k, v) => (k === "a" ? undefined : v))), JSON.stringify(JSON.parse(text, function (k, v) { if (k === "2") this.b = "changed"; return v; })), attempt(() => JSON.stringify(JSON.parse(text, (k, v, { source }) => (k === "big" ? source : v)))), attempt(() => JSON.stringify(JSON.parse("[1,2,3]", function (k, v) { if (k === "0") { delete this[1]; this.length = 2; } return v; }))), attempt(() => JSON.parse("[1]", () => { throw new Error("reviver"); })), String(JSON.parse("5", (k, v) => v * 2)), JSON.stringify(JSON.parse('{"__proto__":1}', (k, v) => v)), attempt(() => JSON.stringify({ n: JSON.rawJSON("1.0000000000000000001"), s: JSON.rawJSON('"x"') })), attempt(() => JSON.rawJSON("{}")), attempt(() => JSON.rawJSON(" 1")), attempt(() => JSON.isRawJSON(JSON.rawJSON("1"))), attempt(() => Object.isFrozen(JSON.rawJSON("1"))), attempt(() => Reflect.ownKeys(JSON).map(String).join()), ...log];
//= ok
@Product({ name: "x", origin: "https://api.example.com" })
@Raw({ v: told })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
