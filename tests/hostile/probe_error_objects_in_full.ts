// name, message, cause and own keys of every kind of error, and of errors of one's own
import { Plan, Product, Raw } from "@svc/product";

class Own extends Error { constructor(m, o) { super(m, o); this.name = "OwnName"; this.extra = 1; } }
class Named extends TypeError { name = "Named"; get message() { return "computed"; } }
class Silent extends RangeError {}
class Shadow extends Error { static { this.prototype.name = "Proto"; } }
const made = [new Error(), new Error(undefined), new Error(""), new Error(null), new Error("m", { cause: 0 }), new Error("m", { cause: undefined }), new Error("m", {}), Error("called"), new AggregateError([1, new Error("in")], "many", { cause: 3 }), new SuppressedError(1, 2, "s"), new Own("o", { cause: "c" }), new Named("n"), new Silent("s"), new Shadow("h"), new EvalError("e"), new URIError("u"), Object.create(Error.prototype), new Error({ toString: () => "object" }), new Error([1, [2]]), Object.assign(new Error("x"), { name: "", message: "renamed" }), Object.assign(new Error("x"), { name: undefined }), Object.assign(new Error(""), { name: "OnlyName" })];
const told = made.flatMap((error) => [String(error), Object.prototype.toString.call(error), `${error.constructor.name} ${error.name} ${error.message}`, Reflect.ownKeys(error).map(String).join(), JSON.stringify(error), Object.keys(error).join(), `${"cause" in error} ${String(error.cause)}`, Error.isError?.(error) + " " + (error instanceof Error), String(error.stack)]);
//= ok
@Product({ name: "x", origin: "https://api.example.com" })
@Raw({ v: told })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
