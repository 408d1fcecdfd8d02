// row 33: rejections without end, each handled too late
import { Plan, Product } from "@svc/product";

const again = () => {
  Promise.reject(new Error("x"));
  Promise.resolve().then(again);
};
again();
//= BUILD_TIMEOUT | BUILD_OUT_OF_MEMORY
@Product({ name: "x", origin: "https://api.example.com" })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
