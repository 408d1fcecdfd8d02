// row 34: what is spread asks `Function` for its iterator
import { Plan, Product, Raw } from "@svc/product";

const list = { [Symbol.iterator]: Function } as any;
const told = [];
try { told.push([...list].length); } catch (error) { told.push(`${error.name}: ${error.message}`); }
//= ok
@Product({ name: "x", origin: "https://api.example.com" })
@Raw({ v: told })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
