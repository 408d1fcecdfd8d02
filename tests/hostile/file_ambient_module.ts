// row 74: a module that is only declared is not there
import { Plan, Product } from "@svc/product";

declare module "node:fs" {
  export function readFileSync(path: string): string;
}
declare const process: { env: Record<string, string> };
//= ok product.displayName "x"
@Product({ name: "x", origin: "https://api.example.com", displayName: "x" })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
