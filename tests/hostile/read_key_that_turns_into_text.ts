// row 68: a key with a way to become text is still no text
import { Meter, Plan, Product } from "@svc/product";

@Product({ name: "x", origin: "https://api.example.com" })
export default class X {
  @Meter({ toString: () => "m" })
//       ^^^^^^^^^^^^^^^^^^^^^^^ WRONG_TYPE
  a!: void;

  @Meter({ [Symbol.toPrimitive]: () => "m" })
//       ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ VALUE_NOT_PLAIN
  b!: void;

  @Meter(new String("m"))
//       ^^^^^^^^^^^^^^^ VALUE_NOT_PLAIN
  c!: void;

  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
