// default exports of everything, and the names they get
import { Plan, Product, Raw } from "@svc/product";
import a from "./a";
import b from "./b";
import c from "./c";
import d from "./d";
import e from "./e";
import f from "./f";
import g, { value as v } from "./g";
import h from "./h";

const told = [a.name, b.name, c.name, d.name, String(e), String(f), `${g} ${v()}`, h.name, String(a()), new b().x, String(c.length), Reflect.ownKeys(h).join(), h.self.name];
//= ok
@Product({ name: "x", origin: "https://api.example.com" })
@Raw({ v: told })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
