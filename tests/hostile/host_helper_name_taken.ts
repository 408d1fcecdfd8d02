// row 72: the author uses the names that lowering likes
import { Plan, Product } from "@svc/product";

const _decorate = () => "mine";
const __decorate = "mine too";
const babelHelpers = { decorate: 1 };
//= ok product.displayName "mine,mine too,1"
@Product({
  name: "x",
  origin: "https://api.example.com",
  displayName: [_decorate(), __decorate, babelHelpers.decorate].join(),
})
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
