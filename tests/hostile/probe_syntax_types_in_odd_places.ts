// types of every kind in every place, all erased, with arrows and comparisons around
import { Plan, Product, Raw } from "@svc/product";

const f = <T extends { a: number }>(x: T, y?: keyof T, ...z: T[]): x is T => !!x; function g(this: unknown, a?: number): asserts a is number {} type A<T> = T extends (infer U extends string)[] ? `${U}x` : never; interface I { new (x: number): I; (y: string): void; readonly [k: string]: any; get p(): 1; set p(v: 1); m?(): void } declare function h(): void; declare module "q" { const z: 1 } declare global { var gg: number } declare namespace DN { const x: 1 } abstract class K<in out T = any> { abstract x: T; private static readonly y?: number = 1; protected constructor(public readonly q?: T) {} declare z: T; [k: string]: any; static #p: unique symbol; override toString(): string { return "K" } m<const U>(this: this, x: U): U { return x } m2!: number; static async *g<T>(): AsyncGenerator<T> {} }
let x = 1 as any as number as unknown as number, y = x!, z = <any>x, w = x satisfies number, v = (x as any).y?.z!.w, u = x! + +x!, t = (<T,>(a: T) => a)<number>(5), s = new Map<string, Map<string, Array<number>>>(), r = f<{ a: number }>({ a: 1 }), q = x < y, p = (x as number) < (y as number), o: (a: number) => (b: number) => void = (a) => (b) => {}, n: [a: 1, b?: 2, ...c: 3[]] = [1], m: typeof x extends number ? 1 : 2 = 1, l: unique symbol | undefined, k = async <T,>(a: T): Promise<T> => a, j = (a: number, b = a as number): number => a + b!;
label: for (const i of [1] as const) { if (i as any) continue label; } try { throw x as any } catch (e: unknown) { x = (e as number)!; } export type { A }; export { type I }; (x as any) = 2; (x!) += 1; (<any>x)++; [x as any, y!] = [x, y]; for (x as any of [7]) ; 
const told = [x, y, z, w, v, u, t, s.size, r, q, p, n, j(1), new (class extends K<1> { constructor() { super(1); } x = 1 as const; })().m(3), Object.keys(new (class extends K<number> { x!: number; constructor() { super(); } })()).join(), await k(4), g.length].map(String);
//= ok
@Product({ name: "x", origin: "https://api.example.com" })
@Raw({ v: told })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
