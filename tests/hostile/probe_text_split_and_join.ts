// split by everything, with limits
import { Plan, Product, Raw } from "@svc/product";

const attempt = (run) => {
  try {
    return String(run());
  } catch (error) {
    return `${error.name}: ${error.message}`;
  }
};
const texts = ["a,b,,c,", "", "aXbxc", "\u{1f600}\u{1f600}", ",", "a1b22c"];
const separators = [",", "", /,/, /(,)/, /x/i, /(?:)/u, /(?:)/, /\d+/, undefined, null, /(\d)(\d)?/, { [Symbol.split]: (t, n) => [`${t}:${n}`] }, "aXbxc"];
const told = texts.flatMap((text) => separators.flatMap((separator) => [undefined, 0, 2, -1, 2 ** 32 + 1].map((limit) => attempt(() => JSON.stringify(text.split(separator, limit))))));
//= ok
@Product({ name: "x", origin: "https://api.example.com" })
@Raw({ v: told })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
