// author's names that are those a lowering would make up
import { Plan, Product, Raw } from "@svc/product";
import { Plan as _Plan } from "@svc/product";

const _decorate = 1, _N = 2, _default = 3, _class = 4, _A = 5, _E = 6, _usingCtx = 7, __decorate = 8, _x_accessor_storage = 9, _this = 10, _super = 11, _temp = 12, _ref = 13, _this2 = 14, A_1 = 15, _key = 16, _defineProperty = 17, _Plan2 = 18, _decorate2 = 19, _init = 20;
const d = (...x: any[]) => undefined as any; namespace N { const _N = "inner"; export const v = _N; export namespace M { export const _M = v; } } namespace M2 { export const M2 = 5; export const w = M2; } enum E { E = 1, _E = E + 1 } @d class A { #_y_accessor_storage = "own"; accessor x = _x_accessor_storage; @d static self = () => A; get p() { return this.#_y_accessor_storage; } @d [`k${_key}`] = _this; m = () => _super + (this ? 1 : 0); }
const told = [_decorate, _N, _default, _class, _A, _E, _usingCtx, __decorate, _this, _temp, _ref, _this2, A_1, _defineProperty, _Plan2, _decorate2, _init, N.v, N.M._M, M2.M2, M2.w, E.E, E._E, E[2], new A().x, new A().p, A.self() === A, new A().k16, new A().m(), _Plan.name].map(String);
//= ok
@Product({ name: "x", origin: "https://api.example.com" })
@Raw({ v: told })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
