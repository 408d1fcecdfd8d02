// names with escapes, marks, other scripts, joiners and words that are nearly reserved
import { Plan, Product, Raw } from "@svc/product";

const \u{61}bc = 1, ünï = 2, 变量 = 3, $ = 4, _ = 5, ℘ = 6, ゛ = 7, x\u200cy = 8, x‍z = 9, 𝒳 = 10, async = 11, of = 12, get = 13, set = 14, from = 15, as = 16, type = 17, declare = 18, abstract = 19, namespace = 20, module = 21, require = 22, global = 23, infer = 24, keyof = 25, satisfies = 26, undefined2 = 27, accessor = 28, target = 29, meta = 30, a̐ = 31, ﻿ª = 32;
const o = { abc, ünï, 变量, $, _, ℘, ゛, x\u200cy, x‍z, 𝒳, async, of, get, set, from, as, type, declare, abstract, namespace, module, require, global, infer, keyof, satisfies, accessor, target, meta, a̐, ª, if: 1, class: 2, "\u0061bc2": 3, \u{1d4b3}q: 4, await: 5, yield: 6, enum: 7 };
const told = [JSON.stringify(o), String(abc + \u0061bc), Object.keys(o).map((k) => k.length).join(), o.cl\u0061ss + "" + o.\u{69}f, ((\u{78}) => x)(5), (class { static \u{6d}() { return this.m.name; } }).m(), (() => { l\u0061bel: for (;;) break label; return "label"; })()].map(String);
//= ok
@Product({ name: "x", origin: "https://api.example.com" })
@Raw({ v: told })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
