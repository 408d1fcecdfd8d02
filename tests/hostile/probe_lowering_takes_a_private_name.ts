// a private name of the author's that is the one a lowering makes up (valid TypeScript; refused today)
import { Plan, Product } from "@svc/product";
class A { #_x_accessor_storage = 1; accessor x = 2; read() { return this.#_x_accessor_storage; } }
//? SYNTAX_ERROR
@Product({ name: "x", origin: "https://api.example.com", displayName: String(new A().read()) })
export default class X { @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } }) free!: void; }
