// sorting of texts by code units, with astral letters and halves
import { Plan, Product, Raw } from "@svc/product";

const texts = ["\uffff", "\u{10000}", "\ud800", "\udfff", "z", "Z", "a\u0301", "\u00e1", "\u0130", "i", "I", "\u0131", "", "\u0000", "10", "9", "\u{1f600}", "\ue000"];
const told = [texts.toSorted(), texts.toSorted((a, b) => (a < b ? 1 : a > b ? -1 : 0)), texts.map((a) => texts.filter((b) => a < b).length)].map((list) => JSON.stringify(list));
//= ok
@Product({ name: "x", origin: "https://api.example.com" })
@Raw({ v: told })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
