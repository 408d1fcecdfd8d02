// row 15: the function's text, which would tell a patched one from the real one; it must be the same in all isolates
import { Plan, Product } from "@svc/product";

//= ok
@Product({
  name: "x",
  origin: "https://api.example.com",
  displayName: `${Math.random} ${Math.random.name} ${Math.random.length} ${Reflect.ownKeys(Math.random).map(String)}`,
})
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
