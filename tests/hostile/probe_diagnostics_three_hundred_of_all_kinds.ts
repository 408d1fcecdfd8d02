// problems of many kinds in one product, all told in order
import { Capability, Entitlement, Feature, Meter, Plan, Product, Raw, Surface } from "@svc/product";
@Product({ name: "x y", origin: "ftp://no", displayName: 5 as any, nope: 1 } as any)
@Raw({ a: new Date(0), b: [Symbol("s")], c: 1n, d: () => 1 } as any)
export default class X {
  @Meter("UPPER CASE") m1: any; @Meter("") m2: any; @Meter(5 as any) m3: any; @Meter("dup") m4: any; @Meter("dup") m5: any;
  @Plan("free", { limits: { reqests: { rate: -1, interval: "minut" }, requests: { rate: 1.5, interval: 5 } }, price: { amount: -1, currency: "xxx", interval: "never" }, nope: { deep: [1] } } as any) free!: void;
  @Plan("free", { meter: { toknes: { micros: 0.1, per: 0 }, dup: { micros: "1" } }, grants: [{ kind: "what" }], trialDays: -3 } as any) again!: void;
  @Feature("jobs", { plans: ["baisc", "fre"], routes: { "POST v1": {}, "GET /a/{b": { reports: "tokenz" }, "NOPE /x": { costs: { dup: -1 } } } } as any) jobs!: void;
  @Surface("s", {} as any) s!: void; @Capability("c c") c!: void; @Entitlement("e", { plan: "nowhere" } as any) e!: void;
}
for (let i = 0; i < 300; i++) Meter(`late ${i}`)(X.prototype, `late${i}`);
//* DECORATOR_MISUSE
//? DUPLICATE_KEY
//? DUPLICATE_KEY
//? KEY_FORM
//? KEY_FORM
//? KEY_FORM
//? MONEY_NOT_AN_INTEGER
//? NUMBER_RANGE
//? ROUTE_KEY_FORM
//? ROUTE_KEY_FORM
//? ROUTE_KEY_FORM
//? UNKNOWN_OPTION
//? UNKNOWN_OPTION
//? UNKNOWN_OPTION
//? UNKNOWN_PLAN
//? UNKNOWN_PLAN
//? UNKNOWN_VALUE
//? UNKNOWN_VALUE
//? UNKNOWN_VALUE
//? UNKNOWN_VALUE
//? URL_FORM
//? VALUE_NOT_PLAIN
//? VALUE_NOT_PLAIN
//? VALUE_NOT_PLAIN
//? VALUE_NOT_PLAIN
//? WRONG_TYPE
//? WRONG_TYPE
//? WRONG_TYPE
