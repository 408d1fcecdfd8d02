// namespaces merged with functions, enums and classes, in blocks and nested by dots
import { Plan, Product, Raw } from "@svc/product";

function F() { return F.x; } namespace F { export const x = "of F"; } class C { static s = 1; } namespace C { export const t = C.s + 1; export type T = 1; } enum E { a = 1 } namespace E { export const of = (n: number) => E[n]; }
namespace A.B.C { export const d = "dots"; export namespace D { export const e = `${d}!`; } } namespace A.B { export const f = 5; } namespace Empty {} namespace OnlyTypes { export type X = 1; export interface Y {} } namespace WithCode { log(); function log() { ran = "ran"; } export enum In { x = 7 } export class K { v = In.x; } export import alias = A.B.C; export const { p, q: [r] } = { p: 1, q: [2] }; export function fn() { return p + r; } export const arrow = () => fn(); } var ran = "";
import short = A.B.C.D; const told = [() => F(), () => C.t, () => E.of(1), () => A.B.C.d, () => A.B.C.D.e, () => A.B.f, () => typeof Empty, () => typeof OnlyTypes, () => ran, () => new WithCode.K().v, () => WithCode.alias.d, () => WithCode.p + WithCode.r, () => WithCode.arrow(), () => short.e, () => Object.keys(WithCode).join(), () => JSON.stringify(A), () => Reflect.ownKeys(F).join(), () => Reflect.ownKeys(C).join(), () => Object.keys(E).join()].map((run) => { try { return String(run()); } catch (e) { return `${e.name}: ${e.message}`; } });
//? SYNTAX_NOT_SUPPORTED
@Product({ name: "x", origin: "https://api.example.com" })
@Raw({ v: told })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
