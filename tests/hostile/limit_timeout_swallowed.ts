// row 33: the end of the time as an exception that one may catch
import { Plan, Product } from "@svc/product";

let told = "";
try {
  for (;;);
} catch {
  told = "late";
} finally {
  told += "r";
}
//= BUILD_TIMEOUT
@Product({ name: "x", origin: "https://api.example.com", displayName: told })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
