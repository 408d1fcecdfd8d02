// classes of the v flag: subtraction, intersection, texts, properties of texts
import { Plan, Product, Raw } from "@svc/product";

const attempt = (run) => {
  try {
    return String(run());
  } catch (error) {
    return `${error.name}: ${error.message}`;
  }
};
const sources = ["[\\p{L}--[a-z]]", "[[a-z]&&[aeiou]]", "[\\q{abc|d|}x]", "\\p{RGI_Emoji}", "[\\p{Emoji_Keycap_Sequence}--\\q{1\ufe0f\u20e3}]", "[^\\d]", "[\\w--\\d]", "[[\\p{ASCII}&&\\p{L}]--[A-M]]", "[a-z&&[^aeiou]]", "[&&]", "[a--]", "[(]", "[\\p{RGI_Flag_Emoji_Sequence}]", "^\\p{Basic_Emoji}$", "[^\\q{ab}]", "\\p{Lu}", "[^\\P{Lu}]"];
const texts = ["abc", "D", "\u{1f469}\u{1f3fd}\u200d\u{1f4bb}", "1\ufe0f\u20e3", "\u{1f1e8}\u{1f1ed}", "\u00e9", "M", "_", ""];
const told = sources.flatMap((source) => ["v", "vi"].map((flags) => attempt(() => { const x = new RegExp(source, flags); return `${source} ${flags} ${texts.map((text) => JSON.stringify(x.exec(text)?.[0])).join()}`; })));
//= ok
@Product({ name: "x", origin: "https://api.example.com" })
@Raw({ v: told })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
