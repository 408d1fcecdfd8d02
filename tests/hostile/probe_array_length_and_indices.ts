// lengths set to everything, and keys that are nearly indices
import { Plan, Product, Raw } from "@svc/product";

const attempt = (run) => {
  try {
    return String(run());
  } catch (error) {
    return `${error.name}: ${error.message}`;
  }
};
const told = [0, 1, 2 ** 32 - 1, 2 ** 32, -1, 1.5, "3", "x", null, true, {}, [2], NaN, 3n, { valueOf: () => 2 }].map((length) => attempt(() => { const list = [1, 2, 3]; list.length = length; return `${list.length} ${Object.keys(list).join()}`; }));
const list = [];
for (const key of ["0", "00", "1.0", "-1", "4294967294", "4294967295", "4294967296", "1e3", " 2", "2", "+3"]) list[key] = key;
told.push(String(list.length), Object.keys(list).join("|"), JSON.stringify(Reflect.ownKeys(list)));
//= ok
@Product({ name: "x", origin: "https://api.example.com" })
@Raw({ v: told })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
