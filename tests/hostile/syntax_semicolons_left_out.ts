// row 92: lines that join, and lines that do not
import { Plan, Product } from "@svc/product";

const f = () => {
  return
  "unreachable"
}
let i = 1
const told = [f(), i
++
i]

@Product({ name: "x", origin: "https://api.example.com", displayName: String(told) })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
//? SYNTAX_ERROR
