// row 46: by a careless deep merge of parsed JSON
import { Plan, Product } from "@svc/product";

const merge = (into, from) => {
  for (const key of Object.keys(from)) {
    if (typeof from[key] === "object") merge((into[key] ??= {}), from[key]);
    else into[key] = from[key];
//@ UNCAUGHT_EXCEPTION
  }
};
merge({}, JSON.parse('{"__proto__":{"legacy":true}}'));

@Product({ name: "x", origin: "https://api.example.com" })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
