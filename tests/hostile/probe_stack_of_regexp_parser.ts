// patterns nested ever deeper, each tried and caught
import { Plan, Product, Raw } from "@svc/product";

const told = [];
for (const depth of [10, 100, 500, 1000]) { try { const x = new RegExp("(?:".repeat(depth) + "a" + ")".repeat(depth)); told.push(`${depth} ${x.test("a")}`); } catch (error) { told.push(`${depth} ${error.message.slice(0, 60)}`); } }
//= ok
@Product({ name: "x", origin: "https://api.example.com" })
@Raw({ v: told })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
