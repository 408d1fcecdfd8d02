// uncaught, deep in a template in a class in a namespace behind astral letters
import { Plan, Product } from "@svc/product";
namespace N { export class K { static m(x: any) { return `😀😀 ${(() => x.nope.deeper)()} 😀`; } } }
//                                                                             ^^^^^^ UNCAUGHT_EXCEPTION
const 变 = N.K.m({});
@Product({ name: "x", origin: "https://api.example.com" })
export default class X { @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } }) free!: void; }
