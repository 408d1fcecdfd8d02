// joining lists that hold themselves, null and nested lists
import { Plan, Product, Raw } from "@svc/product";

const cyclic = [1, 2]; cyclic.push(cyclic, [cyclic, 3]);
const two = [cyclic]; cyclic.push(two);
const told = [String(cyclic), cyclic.join("-"), String(two), `${[null, undefined, [null], [[]], [,]]}`, [,].join(), [, ,].join("x"), [[], [[]]].join("+"), String([{ toString: () => "o" }, () => 1].length), [1, 2].join(undefined), [1, 2].join(null), [1, 2].join(""), Array(5).join("ab")];
//= ok
@Product({ name: "x", origin: "https://api.example.com" })
@Raw({ v: told })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
