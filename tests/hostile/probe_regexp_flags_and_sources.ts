// flags and sources of expressions, as text and anew
import { Plan, Product, Raw } from "@svc/product";

const attempt = (run) => {
  try {
    return String(run());
  } catch (error) {
    return `${error.name}: ${error.message}`;
  }
};
const expressions = [/a/dgimsuy, /a/v, /\//, /[/]/, new RegExp("/"), new RegExp("\n"), new RegExp(""), new RegExp("\u2028"), /(?:)/, new RegExp("[/\n]"), RegExp(/x/g, "i"), new RegExp("\\/"), /\u{61}/u, /(?<a>.)\k<a>/, new RegExp("\ud800")];
const told = expressions.flatMap((x) => [String(x), x.source, x.flags].map((text) => JSON.stringify(text))).concat(["gg", "uv", "x", "G", " ", "dgimsuy", "ysmigd", undefined, null].map((flags) => attempt(() => new RegExp("a", flags).flags)), Reflect.ownKeys(/a/g).map(String), Reflect.ownKeys(RegExp.prototype).map(String));
//= ok
@Product({ name: "x", origin: "https://api.example.com" })
@Raw({ v: told })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
