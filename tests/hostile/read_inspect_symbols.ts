// row 68: keys by which hosts let an object print itself
import { Plan, Product, Raw } from "@svc/product";

@Product({ name: "x", origin: "https://api.example.com" })
@Raw({ a: { [Symbol.for("nodejs.util.inspect.custom")]: () => "stolen" } })
//        ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ VALUE_NOT_PLAIN
@Raw({ b: { [Symbol.for("Deno.customInspect")]: () => "stolen" } })
//        ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ VALUE_NOT_PLAIN
@Raw({ c: { [Symbol.toStringTag]: "stolen" } })
//        ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ VALUE_NOT_PLAIN
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
