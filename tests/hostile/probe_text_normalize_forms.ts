// four forms of texts with many marks, Hangul and compatibility letters
import { Plan, Product, Raw } from "@svc/product";

const attempt = (run) => {
  try {
    return String(run());
  } catch (error) {
    return `${error.name}: ${error.message}`;
  }
};
const texts = ["\u1e9b\u0323", "\u00c5\u212b\u0041\u030a", "\uac01\u1100\u1161\u11a8", "\ufb01\u2460\u00bd\u3392", "a\u0315\u0300\u05ae\u0062", "\u0f71\u0f72\u0f80", "\u{1d160}", "\u{2f800}", "\ud800\u0301", "q\u0307\u0323", "\u0344\u0374\u037e\u0387", "\u1ea5", "\uff76\uff9e"];
const hex = (text) => Array.from({ length: text.length }, (_, i) => text.charCodeAt(i).toString(16)).join("-");
const told = texts.flatMap((text) => ["NFC", "NFD", "NFKC", "NFKD", undefined, "nfc", ""].map((form) => attempt(() => hex(text.normalize(form)))));
//= ok
@Product({ name: "x", origin: "https://api.example.com" })
@Raw({ v: told })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
