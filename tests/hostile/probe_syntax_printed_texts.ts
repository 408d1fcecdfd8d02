// texts as a printer may write them anew: quotes, escapes, separators, markup, surrogates
import { Plan, Product, Raw } from "@svc/product";

const texts = ["\0", "\x001", "\u2028\u2029", "</script>", "<!--", "-->", "${x}", "`", "\\", "'\"`", "\u{10ffff}", "\u200b\u202e\ufeff", "\b\f\v\t\r\n", "\
continued", "é", "e\u0301", '\'', "\u007f\u0080\u009f", "\x7f", "\u{0}", "\ud83d\ude00", "a\ud800b", "\\u0041", "]]>", "//", "/* */", "use strict"];
const told = texts.map((t) => JSON.stringify(t)).concat([`\0`, `\u2028`, `</script>`, `\``, `\${}`, `$`, `$${1}`, `${"${}"}`, `
`, `\r\n`, `\\`, `a${`b${`c`}`}`].map((t) => JSON.stringify(t)), Object.keys({ "a-b": 1, "\u2028": 2, "\0": 3, "'": 4, '"': 5, "": 6, "😀": 7, "\ud83d\ude01": 8, constructor: 9, "1e3": 10 }).map((t) => JSON.stringify(t)));
//= ok
@Product({ name: "x", origin: "https://api.example.com" })
@Raw({ v: told })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
