// three hundred enum constants, all powers, and their sum
import { Plan, Product, Raw } from "@svc/product";

enum P { a = 1.01 ** 365, b = 0.99 ** 365, c = 2.5 ** -3.5, d = 10 ** -5, e = 1.65 ** 22, f = 3 ** 34, g = 1.3 ** 45, h = 7.7 ** 7.7, i = 0.1 ** 20, j = 1e10 ** 30.5, k = 2 ** 0.5, l = 9 ** 0.5, m = 5 ** -1, n = 1.0000001 ** 1e7, o = 123.456 ** 3.21, p = a * b * c }
const two = (x, y) => x ** y;
const told = [P.a, P.b, P.c, P.d, P.e, P.f, P.g, P.h, P.i, P.j, P.k, P.l, P.m, P.n, P.o, P.p, two(1.01, 365), two(0.99, 365), two(2.5, -3.5), two(10, -5), two(1.65, 22), two(3, 34), two(1.3, 45), two(7.7, 7.7), two(0.1, 20), two(1e10, 30.5), two(2, 0.5), two(9, 0.5), two(5, -1), two(1.0000001, 1e7), two(123.456, 3.21)].map(String);
//= ok
@Product({ name: "x", origin: "https://api.example.com" })
@Raw({ v: told })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
