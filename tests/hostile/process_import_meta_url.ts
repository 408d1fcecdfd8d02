// row 24: the module's own address
import { Plan, Product } from "@svc/product";

const here = import.meta.url;
//           ^^^^^^^^^^^ IMPORT_META

@Product({ name: "x", origin: "https://api.example.com", displayName: here })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
