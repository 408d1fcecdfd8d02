// each first of a month over four centuries, as checksum of weekdays and texts
import { Plan, Product, Raw } from "@svc/product";

const told = [];
let sum = 0;
for (let year = 1700; year < 2100; year++) { for (let month = 0; month < 12; month++) { const d = new Date(Date.UTC(year, month, 1, year % 24, month * 5)); const text = `${d.getDay()}${d.toISOString()}${d.toString()}${d.getHours()}`; for (let i = 0; i < text.length; i += 3) sum = (Math.imul(sum, 31) + text.charCodeAt(i)) | 0; } if (year % 8 === 0) told.push(`${year} ${sum} ${new Date(year, 0, 1)}`); }
//= ok
@Product({ name: "x", origin: "https://api.example.com" })
@Raw({ v: told })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
