// row 92: literals that a printer may write anew
import { Plan, Product } from "@svc/product";

const told = [0x1f, 0b11, 0o17, 1_000, .5, 5., 1e3, 0xffffffffffffffff, 9007199254740993, 1n, 0x1fn, 5e-324];
//= ok product.displayName "31,3,15,1000,0.5,5,1000,18446744073709552000,9007199254740992,1,31,5e-324"
@Product({ name: "x", origin: "https://api.example.com", displayName: told.join() })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
