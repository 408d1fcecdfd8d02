export namespace N { export const f = () => `f of N ${M.deep}`; export namespace M { export const deep = "deep"; } export enum Kind { x } export class C { k = Kind.x; } export const made = new C().k; }
export enum E { a = 1, b = a << 1, c, d = "d" as any } export const enum F { z = 26 }
export abstract class A { m() { return `m of ${new.target} ${F.z}`; } }
