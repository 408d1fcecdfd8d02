// flags inside of expressions, where V8 has them
import { Plan, Product, Raw } from "@svc/product";

const attempt = (run) => {
  try {
    return String(run());
  } catch (error) {
    return `${error.name}: ${error.message}`;
  }
};
const told = [["(?i:a)b", "Ab"], ["(?-i:a)b", "AB", "i"], ["(?s:.)\\n", "\n\n"], ["(?m:^b$)", "a\nb"], ["(?i-s:A.)", "a\n", "s"], ["(?i:\\u{10400})", "\u{10428}", "u"], ["(?i:(?<n>x))\\k<n>", "Xx"], ["(?i:\\b\\w)k", "\u017fk", "u"]].map(([source, text, flags]) => attempt(() => JSON.stringify(new RegExp(source, flags).exec(text))));
//= ok
@Product({ name: "x", origin: "https://api.example.com" })
@Raw({ v: told })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
