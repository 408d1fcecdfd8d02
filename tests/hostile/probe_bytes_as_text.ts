// bytes as base64 and hexadecimal digits, there and back, with all that is refused
import { Plan, Product, Raw } from "@svc/product";

const told = [];
const step = (run) => { try { const v = run(); told.push(v instanceof Uint8Array ? Array.from(v).join() : typeof v === "object" ? JSON.stringify(v) : String(v)); } catch (e) { told.push(`${e.name}: ${e.message}`); } };
const U: any = Uint8Array;
step(() => typeof U.fromBase64);
const bytes = U.from({ length: 300 }, (_, i) => (i * 37 + 11) & 255);
for (const n of [0, 1, 2, 3, 4, 299]) { step(() => bytes.slice(0, n).toBase64()); step(() => bytes.slice(0, n).toHex()); step(() => bytes.slice(0, n).toBase64({ alphabet: "base64url", omitPadding: true })); }
for (const text of ["", "AA", "AA==", "AAE=", "AAF", " A A E = ", "A", "AB=C", "////", "____", "é", "AA=="+"\ud800"]) { step(() => U.fromBase64(text)); for (const lastChunkHandling of ["loose", "strict", "stop-before-partial", "odd"]) step(() => U.fromBase64(text, { lastChunkHandling })); }
for (const text of ["", "0", "0f", "0F", "0g", "ffff", "f ff"]) step(() => U.fromHex(text));
const target = new U(4);
for (const text of ["AAECAwQFBgc=", "AAE", "!!", "AAEC"]) { step(() => target.setFromBase64(text)); step(() => target); }
for (const text of ["01020304050607", "010", "zz"]) { step(() => target.setFromHex(text)); step(() => target); }
//= ok
@Product({ name: "x", origin: "https://api.example.com" })
@Raw({ v: told })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
