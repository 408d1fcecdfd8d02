// C7: V8 gives up on an array larger than there can be
import { Plan, Product, Raw } from "@svc/product";

const all = "x".repeat(2 ** 28).split("");
//= BUILD_ENGINE_FATAL | BUILD_OUT_OF_MEMORY
@Product({ name: "x", origin: "https://api.example.com" })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
