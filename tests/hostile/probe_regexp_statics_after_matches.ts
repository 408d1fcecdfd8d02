// RegExp.$1 and its kin after matches, failures and replacements
import { Plan, Product, Raw } from "@svc/product";

const told = [];
const look = () => told.push(JSON.stringify([RegExp.$1, RegExp.$2, RegExp.$9, RegExp.lastMatch, RegExp["$&"], RegExp.lastParen, RegExp.leftContext, RegExp.rightContext, RegExp.input, RegExp.$_]));
look();
/(b)(c)?/.exec("abcd"); look();
/nope/.exec("zzz"); look();
"xyz".replace(/(y)/g, () => (look(), "-")); look();
"a1b2".split(/(\d)/); look();
[..."q1q2".matchAll(/q(\d)/g)]; look();
"aaa".match(/a/g); look();
/(?<n>\u{1f600})/u.test("_\u{1f600}_"); look();
//= ok
@Product({ name: "x", origin: "https://api.example.com" })
@Raw({ v: told })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
