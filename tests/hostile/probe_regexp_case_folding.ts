// pairs that match each other by i, iu and iv
import { Plan, Product, Raw } from "@svc/product";

const letters = ["k", "K", "\u212a", "s", "S", "\u017f", "\u00df", "\u1e9e", "i", "I", "\u0130", "\u0131", "\u03c3", "\u03c2", "\u03a3", "\u01c5", "\u01c4", "\u{10400}", "\u{10428}", "\u0390", "\u1fd3", "\ufb05", "\ufb06", "\u00b5", "\u03bc", "\u1c80", "\u0432", "\ua64a", "\u1c88"];
const told = ["i", "iu", "iv"].flatMap((flags) => letters.map((a) => `${a.codePointAt(0).toString(16)} ${flags} ${letters.filter((b) => new RegExp(`^${a}$`, flags).test(b)).map((b) => b.codePointAt(0).toString(16)).join()} ${[/\w/, /\W/, /[^\W]/, /\b/].map((x) => new RegExp(x.source, flags).test(a)).join()}`));
//= ok
@Product({ name: "x", origin: "https://api.example.com" })
@Raw({ v: told })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
