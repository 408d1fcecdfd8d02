// arrays with elements at both ends of what there is
import { Plan, Product, Raw } from "@svc/product";

const list = [];
list[4294967294] = "end"; list[0] = "begin"; list[2147483648] = "half";
const told = [String(list.length), Object.keys(list).join(), String(list.at(-1)), String(list.findLast((x) => x)), JSON.stringify(Object.entries(list)), String(list.lastIndexOf("end")), String(2147483648 in list), String(list.slice(4294967290).length), String(list[4294967293])];
const five = [1, 2, 3, 4, 5]; delete five[2]; five.length = 4; five[7] = 8;
told.push(Object.keys(five).join(), five.map((x) => x * 2).join(), String(five.flat().length), five.reverse().join("."), JSON.stringify(five));
//= ok
@Product({ name: "x", origin: "https://api.example.com" })
@Raw({ v: told })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
