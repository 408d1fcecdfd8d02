// row 88: by alternatives, through replace
import { Plan, Product } from "@svc/product";

const told = ("x".repeat(50) + "y").replace(/^(x|xx|x?)+$/, "");
//= BUILD_TIMEOUT
@Product({ name: "x", origin: "https://api.example.com", displayName: told })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
