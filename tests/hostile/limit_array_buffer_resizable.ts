// row 91: a growing buffer, whose memory V8 takes past the cap; there are none, and that is always the answer
import { Plan, Product } from "@svc/product";

let told = "";
try {
  const buffer = new ArrayBuffer(0, { maxByteLength: 1 << 28 });
  buffer.resize(1 << 28);
  told = String(new Uint8Array(buffer).fill(1).length);
} catch {
  told = "caught";
}
//= ok product.displayName "caught"
@Product({ name: "x", origin: "https://api.example.com", displayName: told })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
