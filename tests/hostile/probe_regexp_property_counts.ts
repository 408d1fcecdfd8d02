// how many code points each Unicode property has, up to U+1FFFF
import { Plan, Product, Raw } from "@svc/product";

const properties = ["L", "Lu", "Lt", "Nd", "Sc", "Zs", "Cn", "Co", "Script=Greek", "Script_Extensions=Deva", "Alphabetic", "ID_Start", "ID_Continue", "White_Space", "Emoji", "Emoji_Presentation", "Extended_Pictographic", "Case_Ignorable", "Changes_When_Uppercased", "Bidi_Mirrored", "Hex_Digit", "Script=Kawi", "Script=Nag_Mundari"];
let text = "";
for (let code = 0; code < 0x20000; code++) if (code < 0xd800 || code > 0xdfff) text += String.fromCodePoint(code);
const told = properties.map((property) => { const found = text.match(new RegExp(`\\p{${property}}`, "gu")) ?? []; let sum = 0; for (const letter of found) sum = (Math.imul(sum, 31) + letter.codePointAt(0)) | 0; return `${property} ${found.length} ${sum}`; });
//= ok
@Product({ name: "x", origin: "https://api.example.com" })
@Raw({ v: told })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
