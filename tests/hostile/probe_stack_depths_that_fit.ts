// recursions through every way to call, as deep as fits easily
import { Plan, Product, Raw } from "@svc/product";

const told = [];
const down = { plain: (n) => (n ? down.plain(n - 1) + 1 : 0), apply: (n) => (n ? down.apply.apply(null, [n - 1]) + 1 : 0), reflect: (n) => (n ? Reflect.apply(down.reflect, null, [n - 1]) + 1 : 0), getter: (n) => (n ? { get x() { return down.getter(n - 1); } }.x + 1 : 0), proxy: (n) => (n ? new Proxy({}, { get: () => down.proxy(n - 1) }).x + 1 : 0), sort: (n) => { let r = 0; if (n) [1, 2].sort(() => (r = down.sort(n - 1) + 1, 0)); return r; }, replace: (n) => (n ? Number("x".replace("x", () => String(down.replace(n - 1)))) + 1 : 0), json: (n) => (n ? JSON.parse("1", () => down.json(n - 1)) + 1 : 0), toString: (n) => (n ? Number(`${{ toString: () => String(down.toString(n - 1)) }}`) + 1 : 0), spread: (n) => (n ? [...(function* () { yield down.spread(n - 1); })()][0] + 1 : 0), construct: (n) => (n ? new (class { v = down.construct(n - 1); })().v + 1 : 0), tag: (n) => (n ? ((s, v) => v)`${down.tag(n - 1)}` + 1 : 0), bound: (n) => (n ? down.bound.bind(null, n - 1)() + 1 : 0), callback: (n) => (n ? [n].map((x) => down.callback(x - 1))[0] + 1 : 0), destructure: (n) => (n ? (({ v = down.destructure(n - 1) }) => v)({}) + 1 : 0), symbol: (n) => (n ? +{ [Symbol.toPrimitive]: () => down.symbol(n - 1) } + 1 : 0) };
for (const name of Object.keys(down)) told.push(`${name} ${down[name](150)}`);
told.push(`plain ${down.plain(2000)}`);
//= ok
@Product({ name: "x", origin: "https://api.example.com" })
@Raw({ v: told })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
