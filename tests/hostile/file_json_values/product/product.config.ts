// row 45: JSON that JavaScript's own syntax would read otherwise: line separators, minus zero, a script's end
import { Plan, Product, Raw } from "@svc/product";

import data from "./data.json" with { type: "json" };
@Product({ name: "x", origin: "https://api.example.com" })
@Raw({ twice: data.twice, text: data.text, zero: 1 / data.zero === -Infinity, order: Object.keys(data).join() })
//= ok raw {"order":"twice,text,zero","text":"\u2028</script>${1}`\\","twice":2,"zero":true}
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
