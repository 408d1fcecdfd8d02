// one site of a template is one object, in whatever function, class or loop it stands
import { Plan, Product, Raw } from "@svc/product";

const told = [];
const tag = (site: TemplateStringsArray) => site;
const here = () => tag`a`; const there = () => tag`a`;
told.push(here() === here(), here() === there(), Object.isFrozen(here()), Object.isFrozen(here().raw), here().raw === here().raw);
const made = () => () => tag`b`; told.push(made()() === made()());
class C { f = () => tag`c`; static s = () => tag`c`; m() { return tag`c`; } }
told.push(new C().f() === new C().f(), C.s() === new C().m(), new C().m() === new C().m());
const all = new Set(); for (let i = 0; i < 50; i++) all.add(tag`d${i}`); told.push(all.size);
const back = (n): any => (n === 0 ? tag`e` : back(n - 1)); told.push(back(3) === back(9));
function* g() { while (true) yield tag`f`; } const it = g(); told.push(it.next().value === it.next().value, g().next().value === it.next().value);
const weak = new WeakMap([[here(), 7]]); for (let i = 0; i < 60; i++) new Array(30000).fill(i); told.push(weak.get(here() as any));
const bad = (site) => [site.length, site[0] === undefined, site.raw[0]].join("|"); told.push(bad`\u{zz}`, bad`\xg`, bad`\0`);
try { (here() as any)[0] = "z"; } catch (e) { told.push(e.message); }
const texts = told.map(String);
//= ok
@Product({ name: "x", origin: "https://api.example.com" })
@Raw({ v: texts })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
