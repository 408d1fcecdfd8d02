// row 54: TypeScript's constructs that make code of their own
import { Plan, Product } from "@svc/product";

enum Rate {
  One = 1,
  Two = One << 1,
  Text = `t${One}`.length,
}
namespace Space {
  export const inner = Rate.Two;
}
class Held {
  constructor(readonly value: number) {}
}
//= ok product.displayName "1,2,2,2,One,7"
@Product({
  name: "x",
  origin: "https://api.example.com",
  displayName: [Rate.One, Rate.Two, Rate.Text, Space.inner, Rate[1], new Held(7).value].join(),
})
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
