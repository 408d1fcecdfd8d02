// row 99: an enum's texts that double, each made of the one before
import { Plan, Product, Raw } from "@svc/product";

enum Long {
  a = "xxxxxxxx",
  b = `${a}${a}`,
  c = `${b}${b}`,
  d = `${c}${c}`,
  e = `${d}${d}`,
  f = `${e}${e}`,
  g = `${f}${f}`,
  h = `${g}${g}`,
  i = `${h}${h}`,
  j = `${i}${i}`,
  k = `${j}${j}`,
  l = `${k}${k}`,
  m = `${l}${l}`,
  n = `${m}${m}`,
  o = `${n}${n}`,
  p = `${o}${o}`,
  q = `${p}${p}`,
  r = `${q}${q}`,
  s = `${r}${r}`,
  t = `${s}${s}`,
  u = `${t}${t}`,
}
const told = [Long.u.length, Long.u.slice(0, 3), Object.keys(Long).length, Long.k.length];
//= ok
@Product({ name: "x", origin: "https://api.example.com" })
@Raw({ v: told })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
