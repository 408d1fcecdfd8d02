// constants are followed once: 6 to the 14th uses of one
import { Plan, Product, Raw } from "@svc/product";

const c0 = [1, 1, 1, 1, 1, 1];
const c1 = [c0, c0, c0, c0, c0, c0];
const c2 = [c1, c1, c1, c1, c1, c1];
const c3 = [c2, c2, c2, c2, c2, c2];
const c4 = [c3, c3, c3, c3, c3, c3];
const c5 = [c4, c4, c4, c4, c4, c4];
const c6 = [c5, c5, c5, c5, c5, c5];
const c7 = [c6, c6, c6, c6, c6, c6];
const c8 = [c7, c7, c7, c7, c7, c7];
const c9 = [c8, c8, c8, c8, c8, c8];
const c10 = [c9, c9, c9, c9, c9, c9];
const c11 = [c10, c10, c10, c10, c10, c10];
const c12 = [c11, c11, c11, c11, c11, c11];
const c13 = [c12, c12, c12, c12, c12, c12];
//* VALUE_NOT_PLAIN
@Product({ name: "x", origin: "https://api.example.com" })
@Raw({ v: c13 })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
