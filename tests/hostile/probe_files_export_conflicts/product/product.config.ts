// `export *` of two files with one name: ambiguous, so there is none
import { Plan, Product, Raw } from "@svc/product";
import * as all from "./both";
import { one, two } from "./both";

const told = [Reflect.ownKeys(all).map(String).join(), one, two, String((all as any)["sa" + "me"]), String("same" in all), String("default" in all)];
//= ok
@Product({ name: "x", origin: "https://api.example.com" })
@Raw({ v: told })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
