// row 55: what `JSON.rawJSON` gives is an object with a text in it, and no JSON of its own
import { Plan, Product, Raw } from "@svc/product";

const raw = (JSON as any).rawJSON('"],\"plans\":[1"'.slice(0, 1) + 'x"');
const told = { raw, number: (JSON as any).rawJSON("1e400"), list: [(JSON as any).rawJSON("7")] };
//= ok
@Product({ name: "x", origin: "https://api.example.com" })
@Raw({ v: told })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
