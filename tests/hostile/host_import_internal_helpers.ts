// row 85: the modules that lowered code imports its helpers from
import { Plan, Product } from "@svc/product";

import decorate from "@svc/internal/helpers/decorate";
//                   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ IMPORT_NOT_ALLOWED

@Product({ name: "x", origin: "https://api.example.com", displayName: String(decorate) })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
