// row 19: an author's own name hides nothing that is there
import { Plan, Product } from "@svc/product";

const Intl = { locale: "mine" };
//= ok product.displayName "mine"
@Product({ name: "x", origin: "https://api.example.com", displayName: Intl.locale })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
