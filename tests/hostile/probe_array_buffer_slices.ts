// slices, transfers, detached buffers and views of them
import { Plan, Product, Raw } from "@svc/product";

const attempt = (run) => {
  try {
    return String(run());
  } catch (error) {
    return `${error.name}: ${error.message}`;
  }
};
const buffer = new ArrayBuffer(8);
const view = new Uint8Array(buffer); view.set([1, 2, 3, 4, 5, 6, 7, 8]);
const moved = buffer.transfer(4);
const told = [() => new Uint8Array(buffer.slice(0)), () => buffer.byteLength, () => buffer.detached, () => view.length, () => view[0], () => [...new Uint8Array(moved)], () => moved.slice(-2).byteLength, () => new DataView(buffer), () => view.fill(1), () => view.sort(), () => Object.keys(view).join(), () => JSON.stringify(view), () => moved.transferToFixedLength(2).byteLength, () => moved.byteLength, () => moved.resizable, () => moved.maxByteLength, () => new ArrayBuffer(4).resize(2), () => ArrayBuffer.isView(view), () => new ArrayBuffer(1.9).byteLength, () => new ArrayBuffer(-1), () => new ArrayBuffer("3").byteLength, () => Reflect.ownKeys(ArrayBuffer.prototype).map(String).join(), () => view.byteOffset, () => view.subarray(1), () => view.at(0), () => structuredClone].map(attempt);
//= ok
@Product({ name: "x", origin: "https://api.example.com" })
@Raw({ v: told })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
