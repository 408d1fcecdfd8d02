// ropes of a hundred thousand pieces, read in every order
import { Plan, Product, Raw } from "@svc/product";

let rope = "";
for (let i = 0; i < 100000; i++) rope = i % 3 ? rope + String.fromCharCode(97 + (i % 26)) : String.fromCharCode(65 + (i % 26)) + rope;
const told = [rope.length, rope.slice(0, 40), rope.slice(-40), rope.indexOf("zA"), rope.lastIndexOf("b"), rope.charCodeAt(50000), rope.split("a").length, rope.replaceAll("b", "").length, rope.toUpperCase() < rope, rope === [...rope].join(""), rope.match(/[aeiou]{2,}/g)?.length, JSON.stringify(rope).length].map(String);
//= ok
@Product({ name: "x", origin: "https://api.example.com" })
@Raw({ v: told })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
