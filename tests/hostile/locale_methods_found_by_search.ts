// row 21: every method with "ocale" in its name on any prototype the global reaches, called blindly
import { Plan, Product } from "@svc/product";

const told = [];
for (const owner of [Object, Number, BigInt, String, Array, Date, Uint8Array, Object.getPrototypeOf(Uint8Array), Boolean, Symbol, RegExp, Map, Set, Promise, Error]) {
  for (const key of Reflect.ownKeys(owner.prototype)) {
    if (!String(key).includes("ocale")) continue;
    try {
      owner.prototype[key].call(owner === BigInt ? 1n : owner === Date ? new Date(0) : owner === Uint8Array ? new Uint8Array(1) : 1);
      told.push(`${owner.name}.${String(key)} answered`);
    } catch {}
  }
}
//= ok product.displayName "none"
@Product({ name: "x", origin: "https://api.example.com", displayName: told.join() || "none" })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
