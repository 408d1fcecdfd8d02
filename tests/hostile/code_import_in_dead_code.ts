// row 74: where no build ever comes
import { Plan, Product } from "@svc/product";

export const handler = async () => {
  if (false) return await import("node:fs");
//                        ^^^^^^^^^^^^^^^^^ DYNAMIC_IMPORT
};

@Product({ name: "x", origin: "https://api.example.com" })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
