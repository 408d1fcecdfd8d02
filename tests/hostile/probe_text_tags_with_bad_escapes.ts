// escapes that only a tag may have
import { Plan, Product, Raw } from "@svc/product";

const tag = (strings) => JSON.stringify([[...strings].map(String), strings.raw]);
const told = [tag`\u`, tag`\u{110000}`, tag`\xz`, tag`\01`, tag`\u00g`, tag`ok\u{zz${1}\x41`, tag`\8\9`, tag`\
`, tag`\0`, tag`\u{0}`];
//= ok
@Product({ name: "x", origin: "https://api.example.com" })
@Raw({ v: told })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
