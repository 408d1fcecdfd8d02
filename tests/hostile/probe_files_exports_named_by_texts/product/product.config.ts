// exports that are named by any text, in the order of a namespace
import { Plan, Product, Raw } from "@svc/product";
import * as all from "./all";
import { "a b" as spaced, "😀" as face, "" as nothing, "__proto__" as proto } from "./all";
import own, { then } from "./all";

const told = [JSON.stringify(Object.keys(all)), spaced, face, nothing, proto, typeof then, own, Reflect.ownKeys(all).map(String).join("|"), String(Object.getPrototypeOf(all)), all["\n" as keyof typeof all], "10" in all, JSON.stringify(Object.getOwnPropertyDescriptor(all, "10"))].map(String);
try { (all as any)["a b"] = 2; } catch (error) { told.push(error.message); }
try { delete (all as any)["a b"]; } catch (error) { told.push(error.message); }
told.push(String(Reflect.deleteProperty(all, "missing")), String(Reflect.set(all, "😀", 1)), String(Reflect.defineProperty(all, "10", { value: 10 })));
//= ok
@Product({ name: "x", origin: "https://api.example.com" })
@Raw({ v: told })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
