// upper and lower case of each letter up to U+02FF that changes
import { Plan, Product, Raw } from "@svc/product";

const told = [];
for (let code = 0x80; code < 0x300; code++) {
  const letter = String.fromCodePoint(code);
  if (letter.toUpperCase() !== letter || letter.toLowerCase() !== letter) told.push([code.toString(16), letter.toUpperCase(), letter.toLowerCase()].join(" "));
}
//= ok
@Product({ name: "x", origin: "https://api.example.com" })
@Raw({ v: told })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
