// parse of eighty odd texts, with messages and positions
import { Plan, Product, Raw } from "@svc/product";

const attempt = (run) => {
  try {
    return String(run());
  } catch (error) {
    return `${error.name}: ${error.message}`;
  }
};
const texts = ["", " ", "{", "[", "{}x", "[1,]", "[,1]", "{\"a\"}", "{\"a\":}", "{\"a\":1,}", "{a:1}", "{'a':1}", "'a'", "\"\\x\"", "\"\\u12\"", "\"\n\"", "\"\t\"", "\"a", "01", "-", "-01", "+1", ".5", "5.", "1e", "1e+", "1E400", "-1E400", "-0", "0x1", "NaN", "Infinity", "nul", "nulll", "true false", "[1 2]", "{\"a\":1 \"b\":2}", "\u00a0[1]", "\ufeff[1]", "\u2028[1]", "[1]\u0000", "{\"__proto__\":{\"x\":1}}", "{\"a\":1,\"a\":2,\"b\":3,\"a\":4}", "{\"2\":1,\"1\":2,\"b\":3}", "\"\\ud800\\udc00\\ud800\"", "\"\\/\\b\\u0041\"", "[[[[[[1]]]]]]", "1e-400", "123456789012345678901234567890", "{\"\":{\"\":0}}", "\"\u2028\u2029\"", "[\n1,\n2,,\n3]", "{\"k\": \"long text before the mistake is here and goes on\", oops}", "tru", "fals", "undefined", "[]]", "{}}", "//x\n1", "/**/1", "\"\\", "\"\\u", "[1,2", "{\"a\":[{\"b\":"];
const told = texts.map((text) => JSON.stringify(attempt(() => { const v = JSON.parse(text); return `${Object.is(v, -0) ? "-0" : JSON.stringify(v)} ${v && typeof v === "object" ? Object.keys(v) : typeof v}`; })));
//= ok
@Product({ name: "x", origin: "https://api.example.com" })
@Raw({ v: told })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
