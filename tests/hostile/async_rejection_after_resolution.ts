// row 34: a promise that resolved once can't reject any more
import { Plan, Product } from "@svc/product";

const kept = await new Promise((resolve, reject) => {
  resolve("kept");
  reject(new Error("lost"));
  throw new Error("lost");
});
//= ok product.displayName "kept"
@Product({ name: "x", origin: "https://api.example.com", displayName: kept })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
