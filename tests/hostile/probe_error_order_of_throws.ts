// which of two mistakes in one expression is the one that is thrown
import { Plan, Product, Raw } from "@svc/product";

const attempt = (run) => {
  try {
    return String(run());
  } catch (error) {
    return `${error.name}: ${error.message}`;
  }
};
const t = (name) => { throw new Error(name); }; const u = undefined;
const told = [() => t("a") + t("b"), () => u[t("key")], () => u.x(t("arg")), () => u(t("arg")), () => ({}).x(t("arg")), () => (null)[t("k")] = t("v"), () => { u.x = t("v"); }, () => { u[t("k")] = 1; }, () => new u(t("arg")), () => [t("el"), ...u], () => ({ [t("key")]: t("value") }), () => ({ ...u, x: t("x") }), () => `${t("a")}${t("b")}`, () => t("tag")`${t("v")}`, () => { const { [t("key")]: x = t("default") } = {}; }, () => { const [x = t("default")] = []; }, () => { class X extends t("base") { static [t("key")] = 1; } }, () => { class X { static [t("key")] = t("value"); static { t("block"); } } }, () => { class X { static a = t("a"); static { t("block"); } } }, () => { try { t("try"); } finally { t("finally"); } }, () => { for (const x of [1]) { try { t("body"); } finally { break; } } return "swallowed"; }, () => { try { t("try"); } catch { return "caught"; } finally { return "finally"; } }, () => t("a") ?? t("b"), () => u?.[t("k")] ?? "skipped", () => delete u?.x[t("k")], () => ((a = t("param"), { b } = null) => 1)(), () => ((a, b = a.x) => 1)(), () => { switch (t("disc")) { case t("case"): } }, () => { switch (1) { case t("case"): default: t("default"); } }].map(attempt);
//= ok
@Product({ name: "x", origin: "https://api.example.com" })
@Raw({ v: told })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
