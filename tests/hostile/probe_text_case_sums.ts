// a checksum of the case of every code point of Unicode
import { Plan, Product, Raw } from "@svc/product";

let [upper, lower, longer] = [0, 0, 0];
const told = [];
for (let code = 0; code < 0x20000; code++) {
  const letter = String.fromCodePoint(code);
  const [up, down] = [letter.toUpperCase(), letter.toLowerCase()];
  if (up !== letter) upper = (Math.imul(upper, 31) + up.codePointAt(0)) | 0;
  if (down !== letter) lower = (Math.imul(lower, 31) + down.codePointAt(0)) | 0;
  if (up.length > letter.length) longer++;
  if (code % 0x800 === 0x7ff) told.push(`${code.toString(16)} ${upper} ${lower} ${longer}`);
}
//= ok
@Product({ name: "x", origin: "https://api.example.com" })
@Raw({ v: told })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
