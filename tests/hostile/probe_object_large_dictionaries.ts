// objects of five thousand keys, in order after deletions
import { Plan, Product, Raw } from "@svc/product";

const told = [];
for (const name of [(i) => `k${i}`, (i) => i * 3, (i) => (i % 2 ? `${i}` : `x${i}`), (i) => String.fromCodePoint(0x4e00 + i), (i) => -i]) {
  const object = {};
  for (let i = 0; i < 5000; i++) object[name((i * 2311) % 5003)] = i;
  for (let i = 0; i < 5000; i += 3) delete object[name(i)];
  for (let i = 0; i < 500; i += 2) object[name(i)] = "again";
  let sum = 0;
  const keys = Object.keys(object);
  for (const key of keys) for (let i = 0; i < key.length; i++) sum = (Math.imul(sum, 31) + key.charCodeAt(i)) | 0;
  let walked = 0;
  for (const key in object) walked = (Math.imul(walked, 31) + key.length) | 0;
  told.push(`${keys.length} ${sum} ${walked} ${keys.slice(0, 5)} ${keys.slice(-5)}`);
}
//= ok
@Product({ name: "x", origin: "https://api.example.com" })
@Raw({ v: told })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
