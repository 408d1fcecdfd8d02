// row 91: a growing buffer by a subclass, by Reflect, by the species, by the constructor of another buffer
import { Plan, Product } from "@svc/product";

class Own extends ArrayBuffer {}
const options = { maxByteLength: 1 << 28 };
const ways = [
  () => new Own(0, options),
  () => Reflect.construct(ArrayBuffer, [0, options], Own),
  () => new ArrayBuffer[Symbol.species](0, options),
  () => new (new Uint8Array(1).buffer.constructor)(0, options),
  () => new (Object.getPrototypeOf(Own))(0, options),
  () => new (ArrayBuffer.bind(null, 0, options))(),
];
const told = ways.map((way) => {
  try {
    return String(way().resizable);
  } catch {
    return "caught";
  }
});
//= ok product.displayName "caught,caught,caught,caught,caught,caught"
@Product({ name: "x", origin: "https://api.example.com", displayName: told.join() })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
