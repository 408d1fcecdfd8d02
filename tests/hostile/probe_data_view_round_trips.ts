// every getter of a DataView over bytes written by every setter
import { Plan, Product, Raw } from "@svc/product";

const view = new DataView(new ArrayBuffer(16));
const told = [];
for (const [setter, value] of [["setInt8", -1], ["setUint8", 257], ["setInt16", -2], ["setUint16", 65537], ["setInt32", 2 ** 31], ["setUint32", -5], ["setFloat16", 1.1], ["setFloat16", 65520], ["setFloat32", 1.1], ["setFloat64", Math.PI], ["setFloat64", 5e-324], ["setFloat64", -0], ["setFloat32", NaN], ["setFloat64", NaN], ["setBigInt64", -3n], ["setBigUint64", 2n ** 64n + 9n]]) for (const little of [true, false]) {
  for (let i = 0; i < 16; i++) view.setUint8(i, i * 17);
  view[setter](3, value, little);
  told.push([setter, little, ...["getInt8", "getUint8", "getInt16", "getUint16", "getInt32", "getUint32", "getFloat16", "getFloat32", "getFloat64", "getBigInt64", "getBigUint64"].map((getter) => view[getter](3, !little)), ...new Uint8Array(view.buffer)].join(" "));
}
//= ok
@Product({ name: "x", origin: "https://api.example.com" })
@Raw({ v: told })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
