// a checksum of each form of every code point up to U+2FFFF that changes
import { Plan, Product, Raw } from "@svc/product";

const told = [];
for (const form of ["NFC", "NFD", "NFKC", "NFKD"]) {
  let [sum, changed] = [0, 0];
  for (let begin = 0; begin < 0x30000; begin += 64) {
    if (begin >= 0xd800 && begin < 0xe000) continue;
    let text = "";
    for (let code = begin; code < begin + 64; code++) text += String.fromCodePoint(code) + "|";
    const normal = text.normalize(form);
    if (normal === text) continue;
    changed++;
    for (let i = 0; i < normal.length; i++) sum = (Math.imul(sum, 33) ^ normal.charCodeAt(i)) | 0;
  }
  told.push(`${form} ${changed} ${sum}`);
}
//= ok
@Product({ name: "x", origin: "https://api.example.com" })
@Raw({ v: told })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
