// live bindings through three files, and what may not be assigned
import { Plan, Product, Raw } from "@svc/product";
import { count, up, object } from "./relay";
import * as relay from "./relay";

// A name that is written out would be refused before anything runs.
const nope = String("nope");
const attempt = (run) => {
  try {
    return String(run());
  } catch (error) {
    return `${error.name}: ${error.message}`;
  }
};
const told = [String(count), String(up()), String(count), String(relay.count), String(up() + count), attempt(() => { (relay as any).count = 9; }), attempt(() => delete (relay as any).count), attempt(() => Object.defineProperty(relay, "count", { value: 5 })), attempt(() => Object.defineProperty(relay, "count", { value: 3, writable: true, enumerable: true })), attempt(() => { (count as any)++; }), attempt(() => { (relay as any)[nope] = 1; }), String((relay as any)[nope]), attempt(() => Object.setPrototypeOf(relay, {})), attempt(() => Object.freeze(relay)), JSON.stringify(relay), JSON.stringify(Object.getOwnPropertyDescriptor(relay, "count")), attempt(() => (relay as any).count()), attempt(() => (up as any).x.y), attempt(() => (object as any).x.y.z), attempt(() => new (count as any)())];
//= ok
@Product({ name: "x", origin: "https://api.example.com" })
@Raw({ v: told })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
