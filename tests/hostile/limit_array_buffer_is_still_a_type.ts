// row 91: buffers otherwise are what they were
import { Plan, Product } from "@svc/product";

const buffer = new ArrayBuffer(8);
const told = [buffer instanceof ArrayBuffer, ArrayBuffer.isView(new DataView(buffer)), buffer.slice(2).byteLength, buffer.constructor === ArrayBuffer, ArrayBuffer.name, Object.prototype.toString.call(buffer)];
//= ok product.displayName "true,true,6,true,ArrayBuffer,[object ArrayBuffer]"
@Product({ name: "x", origin: "https://api.example.com", displayName: told.join() })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
