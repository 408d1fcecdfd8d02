// row 45: one JSON module imported twice is one object
import { Plan, Product } from "@svc/product";

import first from "./data.json" with { type: "json" };
import second from "./data.json" with { type: "json" };
import { third } from "./lib/third";
first.list.push(2);
//= ok product.displayName "true,true,2"
@Product({
  name: "x",
  origin: "https://api.example.com",
  displayName: [first === second, first === third, third.list.length].join(),
})
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
