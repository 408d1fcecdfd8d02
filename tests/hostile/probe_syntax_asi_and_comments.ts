// semicolons left out, comments in every place, and lines that begin with a bracket
import { Plan, Product, Raw } from "@svc/product";

const async = 0, get = 1; let a = 1
let b = a
++b
const c = a /* */ + /* 1 */ b // 2
;[1, 2].forEach((x) => { a += x })
;(() => { a *= 2 })()
const d = () => { return
1 }
const e = a
/2/1
const f = `x`
;`y`.length
let g = 5, i = 0
if (g) ; else g = 6
do g-- 
while (g > 2) a++
for (;;) { break
}
var h = function () { throw_: { break throw_
} }
class K { static
x = 1
get
y() { return 2 } static async
*z() {} static a; static b
static in
static = 3 }
/* a
*/ const k = 1 <!--b
const l = { async
, get
, set: 1, async* gen() {}, get gets() { return 1 }, async asyncs() {} }
const told = [a, b, c, d(), e, f, g, K.x, new K().y, Object.keys(K).join(), Object.keys(new K()).join(), k].map(String)
//= ok
@Product({ name: "x", origin: "https://api.example.com" })
@Raw({ v: told })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
