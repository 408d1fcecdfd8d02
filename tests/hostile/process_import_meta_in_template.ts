// row 24: the address deep in a template
import { Plan, Product } from "@svc/product";

const here = `${`${import.meta.resolve("./x")}`}`;
//                 ^^^^^^^^^^^ IMPORT_META

@Product({ name: "x", origin: "https://api.example.com", displayName: here })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
