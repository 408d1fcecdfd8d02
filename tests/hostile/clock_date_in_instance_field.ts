// row 2: a field's initializer, which no build ever runs, since nothing makes an instance
import { Plan, Product } from "@svc/product";

@Product({ name: "x", origin: "https://api.example.com" })
//= ok plans[0].name "free"
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free = Date.now();
}
