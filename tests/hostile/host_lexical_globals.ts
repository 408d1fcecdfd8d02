// row 72: names that scripts of the host may have left in the shared scope
import { Plan, Product } from "@svc/product";

const told = [
  typeof babelHelpers, typeof __svc, typeof __decorate, typeof _decorate, typeof primordials, typeof core, typeof ops, typeof internals,
  typeof recordInsteadOfThrow, typeof readRegistry, typeof startRecording, typeof harden, typeof module, typeof exports, typeof tslib,
];
//= ok product.displayName "undefined"
@Product({ name: "x", origin: "https://api.example.com", displayName: [...new Set(told)].join() })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
