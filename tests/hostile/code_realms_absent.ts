// row 78: nothing that makes a realm
import { Plan, Product } from "@svc/product";

const told = [typeof ShadowRealm, typeof structuredClone, typeof Worker, typeof SharedWorker, typeof Realm, typeof Compartment, typeof WebAssembly, typeof importScripts, typeof DOMParser];
//= ok product.displayName "undefined"
@Product({ name: "x", origin: "https://api.example.com", displayName: [...new Set(told)].join() })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
