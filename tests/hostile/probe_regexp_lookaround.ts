// lookbehind of changing length, nested, with captures and back references
import { Plan, Product, Raw } from "@svc/product";

const told = [[/(?<=\$)\d+(\.\d*)?/, "$10.53"], [/(?<!\$)\b\d+/, "$1 22"], [/(?<=(\d+)(\d+))$/, "1053"], [/(?<=\1(.))x/, "aax"], [/(?<=(?<a>\w){3})f/, "abcdef"], [/(?<=a(?=([^a]{2})d)\w{3})\w\w/, "abcdefg"], [/(?!.*b)a/, "ab a"], [/(?=(a+))a*b\1/, "baaabac"], [/(?<=^|,)x/g, "x,x,y"], [/(?<!(^|[ab]))c/, "abc"], [/(?<=\b)c/, "a c"], [/(?<=([abc]+))def/, "abcdef"], [/(?<=(?:\1b)(aa))./, "aabaax"]].map(([expression, text]) => JSON.stringify(expression.global ? text.match(expression) : expression.exec(text)));
//= ok
@Product({ name: "x", origin: "https://api.example.com" })
@Raw({ v: told })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
