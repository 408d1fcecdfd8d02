// the same file by six specifiers is one file, with one state
import { Plan, Product, Raw } from "@svc/product";
import { n as a } from "./lib/state";
import { n as b } from "./lib/state.ts";
import { n as c } from "./lib/../lib/state";
import { n as d } from "./lib/./state.js";
import { n as e } from "././lib/state";
import { n as f } from "./lib";

const told = [a, b, c, d, e, f].map((n) => String(n()));
//= ok
@Product({ name: "x", origin: "https://api.example.com" })
@Raw({ v: told })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
