// row 24: all of it
import { Plan, Product } from "@svc/product";

const meta = { ...import.meta };
//                ^^^^^^^^^^^ IMPORT_META

@Product({ name: "x", origin: "https://api.example.com", displayName: JSON.stringify(meta) })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
