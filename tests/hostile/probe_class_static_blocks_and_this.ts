// static blocks with this, super, arguments, await as a name, and loops over private names
import { Plan, Product, Raw } from "@svc/product";

const log = [];
class A { static #list = []; static add(x) { this.#list.push(x); return this; } static { for (let i = 0; i < 3; i++) this.add(i); this.list = this.#list; } static #count = this.#list.length; static count = () => A.#count; static { try { this.nope(); } catch (error) { log.push(error.message); } } static x = (() => { try { return this.name; } finally { log.push("initializer"); } })(); static { var local = 1; log.push(typeof local, String(this === A)); } }
class B extends A { static { log.push(String(super.count())); try { super.add(1); } catch (error) { log.push(error.message); } } static y = super.count(); }
const told = [...log, A.list.join(), String(A.count()), A.x, String(B.y), typeof local];
//= ok
@Product({ name: "x", origin: "https://api.example.com" })
@Raw({ v: told })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
