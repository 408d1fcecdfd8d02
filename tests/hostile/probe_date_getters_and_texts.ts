// getters, setters and texts of dates at the ends of years, eras and the calendar
import { Plan, Product, Raw } from "@svc/product";

const attempt = (run) => {
  try {
    return String(run());
  } catch (error) {
    return `${error.name}: ${error.message}`;
  }
};
const moments = [0, -1, 951782400000, 951868800000, 1709164800000, 4107542400000, -62198755200000, -62167219200000, -62135596800000, 8.64e15, -8.64e15, 8.64e15 + 1, 1e12 + 0.9, -0.9, NaN, 253402300799999, 253402300800000];
const told = moments.flatMap((moment) => { const d = new Date(moment); return [["getFullYear", "getMonth", "getDate", "getDay", "getHours", "getMinutes", "getSeconds", "getMilliseconds", "getTimezoneOffset", "getYear", "getUTCDay"].map((m) => d[m]()).join(), ...["toISOString", "toUTCString", "toString", "toDateString", "toTimeString", "toJSON"].map((m) => attempt(() => d[m]())), `${d[Symbol.toPrimitive]("number")} ${attempt(() => d + 1)} ${d - 1}`]; });
//= ok
@Product({ name: "x", origin: "https://api.example.com" })
@Raw({ v: told })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
