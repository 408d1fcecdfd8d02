// literals of every base with separators, and the members of literals
import { Plan, Product, Raw } from "@svc/product";

const told = [1_000_000, 0xFF_FF, 0b1010_1010, 0o7_7_7, 1e1_0, .5_5, 5., 0.0000001, 0xffffffffffffffff, 123456789012345678901234567890, 5e-325, 1.7976931348623159e308, 1..toString(), 1.0.toFixed(2), 1e3.toString(8), 0x10.toString(2), (25).toString(36), 9007199254740993, -0b11, ~0o17].map(String);
//= ok
@Product({ name: "x", origin: "https://api.example.com" })
@Raw({ v: told })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
