// replacement patterns: $1, $<name>, $$, $`, and what is none
import { Plan, Product, Raw } from "@svc/product";

const text = "John Smith, Jane Doe";
const patterns = ["$1", "$2 $1", "$3", "$10", "$01", "$00", "$$", "$&$&", "$`|", "|$'", "$<first>", "$<last> $<first>", "$<none>", "$<first", "$", "$0", "$12", "\\$1"];
const told = patterns.flatMap((pattern) => [text.replace(/(?<first>\w+) (?<last>\w+)/g, pattern), text.replace(/(\w+) (\w+)/, pattern), text.replace("John", pattern), text.replaceAll("J", pattern)]);
//= ok
@Product({ name: "x", origin: "https://api.example.com" })
@Raw({ v: told })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
