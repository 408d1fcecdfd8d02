// row 71: no function of the language hands the global to a callback
import { Plan, Product } from "@svc/product";

const seen = new Set();
const note = function () {
  seen.add(this === globalThis);
};
[1].forEach(note);
"x".replace("x", note);
JSON.parse("1", function () { seen.add(this === globalThis); });
new Map([[1, 1]]).forEach(note);
Reflect.apply(note, undefined, []);
await Promise.resolve().then(note);
//= ok product.displayName "false"
@Product({ name: "x", origin: "https://api.example.com", displayName: [...seen].join() })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
