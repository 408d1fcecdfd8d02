// own keys: indices, texts, symbols, added, deleted and added again
import { Plan, Product, Raw } from "@svc/product";

const object = { b: 1, 2: 1, a: 1, 1: 1, [Symbol("s")]: 1, "-1": 1, "01": 1, 4294967294: 1, 4294967295: 1, "1.5": 1 };
delete object.b; object.b = 2; object[0] = 1; object.c = 1; delete object.a; Object.defineProperty(object, "hidden", { value: 1 }); object.a = 3;
const child = Object.assign(Object.create(object), { z: 1, b: 1, 5: 1 });
const walked = [];
for (const key in child) walked.push(key);
const told = [Reflect.ownKeys(object).map(String).join(), Object.keys(object).join(), walked.join(), JSON.stringify(object), Object.entries({ ...child, ...object }).join("|"), JSON.stringify(Object.fromEntries(Object.entries(object).reverse())), Object.getOwnPropertyNames(object).join()];
//= ok
@Product({ name: "x", origin: "https://api.example.com" })
@Raw({ v: told })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
