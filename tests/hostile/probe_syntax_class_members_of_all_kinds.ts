// every kind of member name and modifier, with get, set, static and async as names
import { Plan, Product, Raw } from "@svc/product";

class K { get = 1; set = 2; static = 3; async = 4; static get() { return "get"; } static set(x) { return "set"; } static static() { return "static"; } static async() { return "async"; } get get2() { return 5; } set set2(x) {} static async *[`gen${1}`]() { yield 1; } "quoted name"() { return 6; } 123() { return 7; } 1e3 = 8; 0x10 = 9; [Symbol.toPrimitive]() { return 10; } static { } ; ; constructor() {} static async async2() {} static get static2() { return 11; } 'constructor2' = 12; static *await() {} yield() { return 13; } static #get = 14; static peek() { return K.#get; } await = 15; declare; accessor; readonly; abstract; override = 16; private; public2 = 17; in; of; instanceof = 18; static accessor acc = 19; "__proto__" = 20; static ["prototype2"] = 21; static "name" = "named"; }
const k = new K(); const told = [JSON.stringify(k), Reflect.ownKeys(K).map(String).join(), Reflect.ownKeys(K.prototype).map(String).join(), K.get(), K.set(1), K.static(), K.async(), k.get2, k["quoted name"](), k[123](), k[1000], k[16], +k, K.static2, K.peek(), K.acc, K.name, k.yield(), String(Object.getPrototypeOf(k) === K.prototype)].map(String);
//= ok
@Product({ name: "x", origin: "https://api.example.com" })
@Raw({ v: told })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
