// literals of a hundred thousand characters, a thousand parts and sixty levels
import { Plan, Product, Raw } from "@svc/product";

const long = "abcdefghij".repeat(10) + `template ${"x".repeat(500)} ${[1, 2, 3].map((x) => `${x}${`${x}`}`)}`; const big = 0x1234567890abcdef1234567890abcdefn * 10n ** 400n; const nested = [[[[[[[[[[[[[[[[[[[[1]]]]]]]]]]]]]]]]]]]]; const object = { a: { a: { a: { a: { a: { a: { a: { a: { a: { a: { a: { a: 1 } } } } } } } } } } } };
const numbers = [0.1000000000000000055511151231257827021181583404541015625, 1e-323, 0.00000000000000000000000000000000000000000000000000000000000000000000000000000001, 100000000000000000000000000000000000000000000000000000000000000000000000000000000, 0xfffffffffffff800, 0b11111111111111111111111111111111111111111111111111111, 0o400000000000000001, 123456789.123456789123456789, 9007199254740993, 4.35, 2.675, 1.005e3];
const regexp = /a{0,100}(?:b|c|d|e|f|g){2}[\u0000-\uffff]{1,5}(?<n>\d{4})(?=x)/dgimsu;
const told = [long.length, long.slice(0, 120), big, JSON.stringify(nested), JSON.stringify(object), ...numbers, regexp.source, regexp.flags].map(String);
//= ok
@Product({ name: "x", origin: "https://api.example.com" })
@Raw({ v: told })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
