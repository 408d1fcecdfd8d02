// lastIndex through exec, test, match, split and replace with g and y
import { Plan, Product, Raw } from "@svc/product";

const told = [];
for (const flags of ["", "g", "y", "gy", "gu", "yv"]) {
  const x = new RegExp("a|\u{1f600}", flags);
  for (const start of [0, 1, 2, 5, -1, 1.7, "1", NaN, 2 ** 53]) {
    x.lastIndex = start;
    const match = x.exec("ba\u{1f600}a");
    told.push([flags, start, match?.[0], match?.index, x.lastIndex, "ba\u{1f600}a".replace(x, "_"), x.lastIndex, "ba\u{1f600}a".match(x)?.length, x.lastIndex, "ba\u{1f600}a".search(x), x.lastIndex].map(String).join(" "));
  }
}
//= ok
@Product({ name: "x", origin: "https://api.example.com" })
@Raw({ v: told })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
