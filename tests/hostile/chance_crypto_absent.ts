// row 14: no name of it is there
import { Plan, Product } from "@svc/product";

const told = [typeof crypto, typeof Crypto, typeof CryptoKey, typeof SubtleCrypto, typeof URL, typeof Blob];
//= ok product.displayName "undefined,undefined,undefined,undefined,undefined,undefined"
@Product({ name: "x", origin: "https://api.example.com", displayName: told.join() })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
