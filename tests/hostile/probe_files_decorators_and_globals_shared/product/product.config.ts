// classes decorated in one file and finished in another, in the order of imports
import { Plan, Product, Raw } from "@svc/product";
import { Base, log } from "./base";
import "./second";

class Own extends Base { own = 1; }
const told = [...log, JSON.stringify(new Own()), Reflect.ownKeys(Base).map(String).join()];
//= ok
@Product({ name: "x", origin: "https://api.example.com" })
@Raw({ v: told })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
