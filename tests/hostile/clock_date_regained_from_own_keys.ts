// row 3: every static method of Date that takes no argument, called blindly
import { Plan, Product } from "@svc/product";

const found = [];
for (const key of Reflect.ownKeys(Date)) {
  if (typeof Date[key] === "function" && Date[key].length === 0) found.push(Date[key]());
//@ BANNED_API
}

@Product({ name: "x", origin: "https://api.example.com", displayName: found.join() })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
