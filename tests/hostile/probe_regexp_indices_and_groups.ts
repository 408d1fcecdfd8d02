// indices, named groups that repeat, and groups that took no part
import { Plan, Product, Raw } from "@svc/product";

const told = [];
for (const [expression, text] of [[/(?<y>\d{4})-(?<m>\d\d)/d, "on 2024-05!"], [/(?:(?<a>x)|(?<a>y))(?<b>z)?/d, "y"], [/((a)|b)+/d, "aab"], [/(?<\u{1d4d0}>.)/u, "q"], [/(?<$>.)(?<_>.)/dg, "ab"], [/(z)((a+)?(b+)?(c))*/d, "zaacbbbcac"], [/(?<n>)/d, ""]]) {
  const match = expression.exec(text);
  told.push(JSON.stringify(match), String(JSON.stringify(match?.groups)), String(JSON.stringify(match?.indices)), String(JSON.stringify(match?.indices?.groups)), String(match && Object.getPrototypeOf(match.groups ?? null ?? {})), String(match && Reflect.ownKeys(match).join()));
}
//= ok
@Product({ name: "x", origin: "https://api.example.com" })
@Raw({ v: told })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
