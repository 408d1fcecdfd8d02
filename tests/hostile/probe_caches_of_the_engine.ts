// what an engine remembers of texts, patterns and shapes is nobody's to change
import { Plan, Product, Raw } from "@svc/product";

const told = [];
for (let round = 0; round < 3; round++) {
  const parts = "a,b,c".split(","); told.push(parts.join()); parts[0] = "z"; parts.length = 2; parts.push("q");
  const letters = "abc".split(""); told.push(letters.join()); letters.reverse();
  const found = "x1y22z333".match(/\d+/g)!; told.push(found.join()); found[0] = "changed"; found.length = 1;
  const groups = /(?<n>\d)(x)?/d.exec("5")!; told.push(JSON.stringify([groups, groups.groups, (groups as any).indices])); groups.groups!.n = "c"; (groups as any).indices[0][0] = 9;
  told.push("x1y22".replace(/\d+/g, (...a) => { const last = a.length; a[0] = "w"; return String(last); }));
  const keys = Object.keys({ p: 1, q: 2 }); told.push(keys.join()); keys[0] = "c";
  const shape = JSON.parse('{"a":[1,{"b":2}],"c":{}}'); told.push(JSON.stringify(shape)); shape.a[1].b = 3; shape.c.d = 4; delete shape.a;
  told.push(String(1.5e300 * round), (123456.789 + round).toFixed(2), String(round / 3));
  const sorted = [3, 1, 2].toSorted(); told.push(sorted.join()); sorted[1] = 99;
  told.push(new Date(86400000 * 365.25 * round).toISOString(), String(Date.parse(`${2000 + round}-02-29`)));
}
//= ok
@Product({ name: "x", origin: "https://api.example.com" })
@Raw({ v: told })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
