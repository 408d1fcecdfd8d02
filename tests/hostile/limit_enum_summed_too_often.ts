// row 99: the same with sums, over two enums
import { Plan, Product, Raw } from "@svc/product";

enum First {
  a0 = "xxxxxxxx" + "yyyyyyyy",
  a1 = a0 + a0,
  a2 = a1 + a1,
  a3 = a2 + a2,
  a4 = a3 + a3,
  a5 = a4 + a4,
  a6 = a5 + a5,
  a7 = a6 + a6,
  a8 = a7 + a7,
  a9 = a8 + a8,
  a10 = a9 + a9,
  a11 = a10 + a10,
  a12 = a11 + a11,
  a13 = a12 + a12,
  a14 = a13 + a13,
  a15 = a14 + a14,
  a16 = a15 + a15,
  a17 = a16 + a16,
  a18 = a17 + a17,
  a19 = a18 + a18,
  a20 = a19 + a19,
}
enum Second {
  b0 = First.a20 + First.a20,
  b1 = b0 + b0,
  b2 = b1 + b1,
  b3 = b2 + b2,
  b4 = b3 + b3,
  b5 = b4 + b4,
  b6 = b5 + b5,
  b7 = b6 + b6,
  b8 = b7 + b7,
  b9 = b8 + b8,
  b10 = b9 + b9,
  b11 = b10 + b10,
  b12 = b11 + b11,
  b13 = b12 + b12,
  b14 = b13 + b13,
  b15 = b14 + b14,
  b16 = b15 + b15,
  b17 = b16 + b16,
  b18 = b17 + b17,
  b19 = b18 + b18,
  b20 = b19 + b19,
}
//? UNCAUGHT_EXCEPTION
const told = Second.b1;
@Product({ name: "x", origin: "https://api.example.com" })
@Raw({ v: told })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
