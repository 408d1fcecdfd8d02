// namespaces, enums, types and classes across files, exported anew
import { Plan, Product, Raw } from "@svc/product";
import { N, E, type T, A, everything, renamed as r } from "./index";
import * as all from "./index";
import def, { default as again } from "./lib/deep";

namespace N2 { export import Inner = N.M; export const x = Inner.deep; }
enum Local { one = 1, sum = one + 4, text = "t" }
const t: T = { x: 1 };
const told = [N.f(), String(E.a), String(E.d), E[3], new A().m(), JSON.stringify(t), Object.keys(everything).join(), String(r), N2.x, JSON.stringify(Local), JSON.stringify(E), Reflect.ownKeys(all).map(String).join(), String(def === again), def.name, Object.prototype.toString.call(everything), String(all.N === N), JSON.stringify(N)];
//= ok
@Product({ name: "x", origin: "https://api.example.com" })
@Raw({ v: told })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
