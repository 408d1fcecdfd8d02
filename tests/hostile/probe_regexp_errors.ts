// the messages of eighty patterns that are none
import { Plan, Product, Raw } from "@svc/product";

const attempt = (run) => {
  try {
    return String(run());
  } catch (error) {
    return `${error.name}: ${error.message}`;
  }
};
const sources = ["(", ")", "[", "]", "{", "}", "*", "+", "?", "a**", "a{2,1}", "a{99999999999}", "\\", "(?", "(?<", "(?<a", "(?<a>", "(?<1>.)", "(?<a>.)(?<a>.)", "\\k<a>", "\\k<a>(?<b>.)", "[b-a]", "[\\d-z]", "(?<=a)+", "(?=a)*", "\\u{110000}", "\\u{", "\\p{", "\\p{Nope}", "\\p{L", "\\P{RGI_Emoji}", "[^\\p{RGI_Emoji}]", "\\1", "\\c", "\\cA", "\\x1", "\\u12", "(?i", "(?i:a)", "(?i-i:a)", "(?-:a)", "(?ims-:a)", "(?ii:a)", "(?g:a)", "{1}", "a{,5}", "[a&&&b]", "[a--b&&c]", "[\\q{]", "\\q{a}", "[[]", "\\-", "[\\b-a]", "\\8", "(?:", "(?!", "(?<!", "|", "()", "^*", "$+", "\\b+", "(?<\ud835>.)"];
const told = sources.flatMap((source) => ["", "u", "v"].map((flags) => JSON.stringify(attempt(() => new RegExp(source, flags).source))));
//= ok
@Product({ name: "x", origin: "https://api.example.com" })
@Raw({ v: told })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
