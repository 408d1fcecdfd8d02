// row 76: a map that would be fetched from the disk
//# sourceMappingURL=file:///etc/passwd
import { Plan, Product } from "@svc/product";

//= ok product.displayName "x"
@Product({ name: "x", origin: "https://api.example.com", displayName: "x" })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
//# sourceMappingURL=file:///etc/passwd
