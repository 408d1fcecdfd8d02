// numbers as a printer may write them shorter: in members, calls, powers and negations
import { Plan, Product, Raw } from "@svc/product";

const told = [1_000.5.toFixed(1), 1e3.toString(), 100..toString(), 1.0.constructor.name, 0xff.toString(), .5.toFixed(), 5..x, (1e21).toString(), -1e21 + "", (-1) ** 2, -(1 ** 2), 2 ** -1, 1000000000000000128..toString(), 1000000000000000128..toFixed(0), 0.000001.toString(), 1e-7.toString(), (0.1).toString(3), { 1e3: "k" }[1000], { 0x10: "h" }[16], { 1n: "b" }[1], { .5: "f" }["0.5"], Object.keys({ 1e21: 1, 1e-7: 1, 0b11: 1, 1_0: 1 }).join(), [1e3, 1E3, 1e+3].join(), - -1, + +1, - + - 1, 1 - -1, 1 + +1, 1 - - - 1, !-1, typeof -1, void 0, 0.1 + 0.2, 9e15 + 1, 0xffffffffffffffffn, 1_0n ** 2_0n].map(String);
//= ok
@Product({ name: "x", origin: "https://api.example.com" })
@Raw({ v: told })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
