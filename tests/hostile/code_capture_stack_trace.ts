// row 60: a stack captured on an object of one's own
import { Plan, Product } from "@svc/product";

const target = {};
Error.captureStackTrace?.(target);
const told = ["product", "config", ":", "at "].filter((part) => String(target.stack).replace("Error", "").includes(part));
//= ok product.displayName "none"
@Product({ name: "x", origin: "https://api.example.com", displayName: told.join() || "none" })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
