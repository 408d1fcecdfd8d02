// row 92: types of all kinds leave nothing behind
import { Plan, Product } from "@svc/product";

type Deep<T> = T extends [infer Head, ...infer Tail] ? Head | Deep<Tail> : never;
interface Shape { (): void; new (): Shape; [key: string]: unknown; readonly a?: number }
declare function nowhere(): never;
declare global { interface Window { x: 1 } }
abstract class Base { abstract method(): void; declare field: number }
const told = ["x" as const satisfies string, <string>"y", "z"!] as Deep<[string]>[];
//= ok product.displayName "x,y,z"
@Product({ name: "x", origin: "https://api.example.com", displayName: told.join(), description: String(typeof Base) })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
