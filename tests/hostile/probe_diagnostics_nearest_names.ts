// many unknown names, each near several that are there
import { Feature, Meter, Plan, Product } from "@svc/product";
@Product({ name: "x", origin: "https://api.example.com" })
export default class X {
  @Meter("alpha") a: any; @Meter("alphb") b: any; @Meter("alphc") c: any; @Meter("bravo") d: any; @Meter("brave") e: any; @Meter("bravos") f: any; @Meter("token") g: any; @Meter("tokens") h: any; @Meter("tokenz") i: any;
  @Plan("free", { limits: { alphd: { rate: 1, interval: "day" }, alphe: { rate: 1, interval: "day" }, bravi: { rate: 1, interval: "day" }, tokenx: { rate: 1, interval: "day" }, okens: { rate: 1, interval: "day" }, alph: { rate: 1, interval: "day" }, requests: { rate: 1, interval: "minute" } }, meter: { alphx: { micros: 1 }, tokns: { micros: 1 }, bravx: { micros: 1 } } } as any) free!: void;
  @Feature("f", { plans: ["fre", "frees", "xfree"], routes: { "GET /x": { reports: "alphq" }, "GET /y": { reports: ["tokenss", "brav"] } } } as any) ff!: void;
}
//* UNKNOWN_METER
//? UNKNOWN_PLAN
//? UNKNOWN_PLAN
//? UNKNOWN_PLAN
