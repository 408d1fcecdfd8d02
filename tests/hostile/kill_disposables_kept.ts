// row 42: a stack of things to be let go that never ends
import { Plan, Product } from "@svc/product";

const stack = new DisposableStack();
for (;;) stack.defer(() => {});
//= BUILD_OUT_OF_MEMORY
@Product({ name: "x", origin: "https://api.example.com" })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
