// arguments: mapped or not, lengths, keys and spreading
import { Plan, Product, Raw } from "@svc/product";

const attempt = (run) => {
  try {
    return String(run());
  } catch (error) {
    return `${error.name}: ${error.message}`;
  }
};
function plain(a, b) { a = 9; arguments[1] = 8; return [arguments.length, ...arguments, a, b, Object.keys(arguments).join(), Object.prototype.toString.call(arguments), Reflect.ownKeys(arguments).map(String).join(), attempt(() => arguments.callee), delete arguments[0], arguments[0], JSON.stringify(arguments)].map(String).join(" "); }
function defaulted(a = 1, ...rest) { arguments[0] = 5; return `${a} ${arguments.length} ${rest}`; }
const arrow = function () { return (() => arguments.length)(1, 2, 3); };
const told = [plain(1, 2), plain(), plain(1), plain(1, 2, 3, 4), defaulted(), defaulted(undefined, 2), defaulted(3), arrow(1), arrow(), String(plain.length), String(defaulted.length), ((...args) => args.length)(...Array(1000)), (function () { return arguments.length; })(...Array(5000))].map(String);
//= ok
@Product({ name: "x", origin: "https://api.example.com" })
@Raw({ v: told })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
