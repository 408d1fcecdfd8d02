// expressions of much but bounded backtracking, and what they capture
import { Plan, Product, Raw } from "@svc/product";

const told = [[/^(a?){18}a{18}$/, "a".repeat(18)], [/(x+x+)+y/, "x".repeat(14)], [/^(([a-z])+.)+[A-Z]([a-z])+$/, "a".repeat(14)], [/(.*)(.*)(.*)x/, "abcdefgh".repeat(6)], [/(a|ab)(bc|c)?d/, "abcd"], [/((?:a|b)*?)(b+)$/, "ababbb"], [/(?:(\w+)\s*,?\s*)+;/, "one, two, three;"], [/^(?:(1+?)\1+|1)$/, "1".repeat(91)], [/^(?:(1+?)\1+|1)$/, "1".repeat(97)], [/(?=((?:\w{2}))+)\w*?(z|$)/, "abcdefghij"]].map(([expression, text]) => JSON.stringify(expression.exec(text)));
//= ok
@Product({ name: "x", origin: "https://api.example.com" })
@Raw({ v: told })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
