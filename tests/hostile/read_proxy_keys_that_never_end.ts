// row 40: a trap that spins
import { Plan, Product, Raw } from "@svc/product";

@Product({ name: "x", origin: "https://api.example.com" })
@Raw(new Proxy({}, { ownKeys() { for (;;); } }))
//= BUILD_TIMEOUT
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
